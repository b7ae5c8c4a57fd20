import { WITHOUT_DOCK } from '../domain/ltl-codes';
import type { Stop, StopServices } from '../domain/shipment';
import { ADDRESS_TYPES } from './codes';
import { isTimeZone } from './dates';
import { readAddress, readContact, type PartReading } from './addresses';
import { jsonPath } from './json-path';
import { correctionOf, nearest } from './nearest';
import type { OrderAccount } from './order-account';
import { locationSchema, type StopDraft } from './schema';

/** What a stop is read for: where it stands in the document, and what its rules depend on. */
interface StopReading extends PartReading {
  readonly kind: 'furniture' | 'ltl';
  /** Null when the order names no account that exists; what depends on it is then not checked. */
  readonly account: OrderAccount | null;
}

type Merged =
  | { readonly isResolved: true; readonly stop: StopDraft }
  /** It names a location that cannot be had: what is missing here may well stand there. */
  | { readonly isResolved: false; readonly stop: StopDraft };

/** A stop with everything that its location knows; what the order says itself wins. */
function withLocation(stop: StopDraft, { path, account, problems }: StopReading): Merged {
  if (stop.location === undefined) return { isResolved: true, stop };
  if (account === null) return { isResolved: false, stop };
  const names = Object.keys(account.locations);
  if (!Object.hasOwn(account.locations, stop.location)) {
    const guess = nearest(stop.location, names);
    problems.add(
      `${path}.location`,
      `account ${account.name} has no location ${stop.location}`,
      guess === null ? `use one of: ${names.join(', ') || '(none is configured)'}` : `did you mean ${guess}?`,
    );
    return { isResolved: false, stop };
  }
  const parsed = locationSchema.safeParse(account.locations[stop.location]);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      problems.add(
        `${path}.location`,
        `location ${stop.location} of the accounts file: ${jsonPath(issue.path)} ${issue.message}`,
        'mend the accounts file',
      );
    }
    return { isResolved: false, stop };
  }
  const services = { ...parsed.data.services, ...stop.services };
  return { isResolved: true, stop: { ...parsed.data, ...stop, services } };
}

/** Stop, then location, then account: a date without a zone could be the day before. */
function readZone(stop: StopDraft, { path, account, problems }: StopReading): string | null {
  const zone = stop.timeZone ?? account?.timeZone ?? null;
  if (zone !== null && isTimeZone(zone)) return zone;
  if (zone !== null) {
    problems.add(`${path}.timeZone`, `${zone} is no time zone`, 'use a name such as "America/Chicago"');
  } else if (account !== null) {
    problems.add(
      `${path}.timeZone`,
      'nothing says in which time zone the dates of this stop are meant',
      'set timeZone on the stop, its location or the account, such as "America/Chicago"',
    );
  }
  return null;
}

function readAddressType(stop: StopDraft, { path, problems }: StopReading): string | null {
  const at = `${path}.addressType`;
  const { addressType } = stop;
  if (addressType === undefined) {
    const remedy = `say one of: ${ADDRESS_TYPES.join(', ')}`;
    problems.warn(at, 'no address type: the marketplace silently takes Residence', remedy);
    return null;
  }
  if (!ADDRESS_TYPES.includes(addressType)) {
    const otherwise = `known: ${ADDRESS_TYPES.join(', ')}`;
    const { remedy, fix } = correctionOf(addressType, ADDRESS_TYPES, { path: at, otherwise });
    problems.warn(at, `${addressType} is no address type that is known here`, remedy, fix);
  }
  return addressType;
}

/**
 * Contract, route rule 6: a place without a dock needs its liftgate to be set. Whether `false` sets it is for the
 * account to say; that nobody thought of it is certain only where nothing is said.
 */
function checkLiftgate(stop: StopDraft, type: string | null, { path, account, problems }: StopReading): void {
  const at = `${path}.services.liftgate`;
  const where = type ?? 'Residence';
  const liftgate = stop.services?.liftgate;
  if (!WITHOUT_DOCK.includes(where) || liftgate === true) return;
  if (liftgate === undefined) {
    const problem = `a ${where} has no dock, so that the marketplace wants a liftgate to be set`;
    problems.add(at, problem, 'set it to true', { path: at, value: true });
    return;
  }
  if (account === null) return;
  const problem = `a ${where} has no dock, and this order declines the liftgate`;
  if (account.liftgateRule === 'mustBeGiven') {
    problems.warn(at, problem, 'set it to true unless goods can be lifted there; it is billed afterwards');
    return;
  }
  const remedy =
    'set it to true; where the marketplace takes false, set liftgateRule: mustBeGiven in the settings of the account';
  problems.add(at, problem, remedy);
}

/** Contract, route rules 2 and 6, which hold for LTL only. */
function checkLtlStop(stop: StopDraft, type: string | null, reading: StopReading): void {
  checkLiftgate(stop, type, reading);
  const isBusiness = type !== null && type !== 'Residence';
  if (isBusiness && stop.contact !== undefined && stop.contact.company === undefined) {
    const problem = `a ${type} needs the name of its company`;
    reading.problems.add(`${reading.path}.contact.company`, problem, 'set contact.company');
  }
}

/** The contract has no accessorials for furniture: those of a location, which serves LTL too, are left out. */
function readServices({ services }: StopDraft, kind: StopReading['kind']): StopServices {
  const has = (service: keyof StopServices): boolean => kind === 'ltl' && services?.[service] === true;
  return {
    inside: has('inside'),
    liftgate: has('liftgate'),
    callBeforeArrival: has('callBeforeArrival'),
    appointment: has('appointment'),
  };
}

interface ReadStop {
  /** Null when it lacks what nothing can be made up for. */
  readonly stop: Stop | null;
  /** Null when no zone is known; dates are then not compared with today. */
  readonly timeZone: string | null;
}

/** One stop with its location's knowledge, and every problem of it. */
export function readStop(wire: StopDraft | undefined, reading: StopReading): ReadStop {
  if (wire === undefined) return { stop: null, timeZone: null };
  const { path, kind, problems } = reading;
  if (kind === 'furniture' && Object.values(wire.services ?? {}).includes(true)) {
    const remedy = 'put the wish into the description';
    problems.add(`${path}.services`, 'furniture listings have no services', remedy);
  }
  const { isResolved, stop } = withLocation(wire, reading);
  if (!isResolved) {
    // Only what stands here can be judged; what is missing may stand at the location that was meant.
    if (stop.address !== undefined) readAddress(stop, reading);
    if (stop.contact !== undefined) readContact(stop, reading);
    const timeZone = stop.timeZone === undefined ? null : readZone(stop, reading);
    return { stop: null, timeZone };
  }
  const timeZone = readZone(stop, reading);
  const addressType = readAddressType(stop, reading);
  if (kind === 'ltl') checkLtlStop(stop, addressType, reading);
  const address = readAddress(stop, reading);
  const contact = readContact(stop, reading);
  if (address === null || contact === null || timeZone === null) return { stop: null, timeZone };
  return { stop: { address, addressType, timeZone, contact, services: readServices(stop, kind) }, timeZone };
}
