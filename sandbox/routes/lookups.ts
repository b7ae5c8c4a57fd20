import type { SandboxContext } from '../market/context';
import type { Answer } from '../model/answer';
import { addressTypes } from '../model/codes';

export const lookupActs = { listAddressTypes };

/** The same types for every commodity: the contract shows those of one. */
function listAddressTypes({ labels }: SandboxContext): Answer {
  const items = [...addressTypes].map((type) => labels.trio(type));
  return { status: 200, body: { totalCount: items.length, items } };
}
