import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Addresses that only this machine can reach. Clouds hand out the machine's keys there, and nobody offers files. */
const LINK_LOCAL = new BlockList();
LINK_LOCAL.addSubnet('169.254.0.0', 16, 'ipv4');
LINK_LOCAL.addSubnet('fe80::', 10, 'ipv6');
// The IPv6 address of the metadata service of AWS.
LINK_LOCAL.addAddress('fd00:ec2::254', 'ipv6');

/** Whether a host is such an address. For a name, the resolution checks the address. */
export function isLinkLocal(host: string): boolean {
  const family = isIP(host);
  return family !== 0 && LINK_LOCAL.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

/** Whether a name resolves to such an address, as far as this machine can resolve it. */
export const isLinkLocalName = async (hostname: string): Promise<boolean> =>
  await new Promise((resolve) => {
    guardedLookup(hostname, { all: true }, (error) => resolve(error?.code === 'LINK_LOCAL'));
  });

/** Refuses names that resolve to such an address. It runs when the connection is made: no older answer is used. */
export const guardedLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '');
    const refused = addresses.find(({ address }) => isLinkLocal(address));
    const [first] = addresses;
    if (refused !== undefined || first === undefined) {
      return callback(Object.assign(new Error('refused'), { code: 'LINK_LOCAL' }), '');
    }
    if (options.all === true) return callback(null, addresses);
    return callback(null, first.address, first.family);
  });
};
