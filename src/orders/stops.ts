import { WITHOUT_DOCK } from '../domain/ltl-codes';
import type { Stop, StopServices } from '../domain/shipment';
import { ADDRESS_TYPES } from './codes';
import { isTimeZone } from './dates';
import { readAddress, readContact, type PartReading } from './addresses';
import { jsonPath } from './json-path';
import { correctionOf, nearest } from './spelling';
import type { OrderAccount } from './order-account';
import { locationSchema, type StopShape } from './stop-schema';

/** Where a stop is in the document, and what its rules depend on. */
interface StopReading extends PartReading {
  readonly kind: 'furniture' | 'ltl';
  /** Null when the order names no existing account. What depends on the account is then not checked. */
  readonly account: OrderAccount | null;
}

type Merged =
  | { readonly isResolved: true; readonly stop: StopShape }
  /** False when its location does not exist: the missing parts may belong to the location that was meant. */
  | { readonly isResolved: false; readonly stop: StopShape };

/** A stop merged with its location; the order's own values win. */
function withLocation(stop: StopShape, { path, account, problems }: StopReading): Merged {
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
        'correct the accounts file',
      );
    }
    return { isResolved: false, stop };
  }
  const services = { ...parsed.data.services, ...stop.services };
  return { isResolved: true, stop: { ...parsed.data, ...stop, services } };
}

/** The zone of the stop, else of its location, else of the account: without a zone a date could be the day before. */
function readZone(stop: StopShape, { path, account, problems }: StopReading): string | null {
  const zone = stop.timeZone ?? account?.timeZone ?? null;
  if (zone !== null && isTimeZone(zone)) return zone;
  if (zone !== null) {
    problems.add(`${path}.timeZone`, `${zone} is not a time zone`, 'use a name such as "America/Chicago"');
  } else if (account !== null) {
    problems.add(
      `${path}.timeZone`,
      'the time zone of this stop is unknown, so its dates are ambiguous',
      'set timeZone on the stop, its location or the account, such as "America/Chicago"',
    );
  }
  return null;
}

function readAddressType(stop: StopShape, { path, problems }: StopReading): string | null {
  const at = `${path}.addressType`;
  const { addressType } = stop;
  if (addressType === undefined) {
    const remedy = `use one of: ${ADDRESS_TYPES.join(', ')}`;
    problems.warn(at, 'is missing: the marketplace then silently uses Residence', remedy);
    return null;
  }
  if (!ADDRESS_TYPES.includes(addressType)) {
    const otherwise = `known types: ${ADDRESS_TYPES.join(', ')}`;
    const { remedy, fix } = correctionOf(addressType, ADDRESS_TYPES, { path: at, otherwise });
    problems.warn(at, `${addressType} is not a known address type`, remedy, fix);
  }
  return addressType;
}

/**
 * Contract, route rule 6: a place without a dock must set its liftgate. The account's settings say whether `false` is
 * allowed. Only a missing value can be corrected with certainty.
 */
function checkLiftgate(stop: StopShape, type: string | null, { path, account, problems }: StopReading): void {
  const at = `${path}.services.liftgate`;
  const where = type ?? 'Residence';
  const liftgate = stop.services?.liftgate;
  if (!WITHOUT_DOCK.includes(where) || liftgate === true) return;
  if (liftgate === undefined) {
    const problem = `a ${where} has no dock, and the marketplace requires a liftgate to be set`;
    problems.add(at, problem, 'set it to true', { path: at, value: true });
    return;
  }
  if (account === null) return;
  const problem = `a ${where} has no dock, and this order declines the liftgate`;
  if (account.liftgateRule === 'mustBeGiven') {
    problems.warn(
      at,
      problem,
      'set it to true unless the goods can be unloaded without one; the carrier bills it afterwards',
    );
    return;
  }
  const remedy =
    "set it to true; if the marketplace accepts false, set liftgateRule: mustBeGiven in the account's settings";
  problems.add(at, problem, remedy);
}

/** Contract, route rules 2 and 6, which hold for LTL only. */
function checkLtlStop(stop: StopShape, type: string | null, reading: StopReading): void {
  checkLiftgate(stop, type, reading);
  const isBusiness = type !== null && type !== 'Residence';
  if (isBusiness && stop.contact !== undefined && stop.contact.company === undefined) {
    const problem = `a ${type} must name its company`;
    reading.problems.add(`${reading.path}.contact.company`, problem, 'set contact.company');
  }
}

/** The contract has no accessorials for furniture: those of a location, which serves LTL too, are dropped. */
function readServices({ services }: StopShape, kind: StopReading['kind']): StopServices {
  const has = (service: keyof StopServices): boolean => kind === 'ltl' && services?.[service] === true;
  return {
    inside: has('inside'),
    liftgate: has('liftgate'),
    callBeforeArrival: has('callBeforeArrival'),
    appointment: has('appointment'),
  };
}

interface ReadStop {
  /** Null when it lacks a part that has no default. */
  readonly stop: Stop | null;
  /** Null when the zone is unknown; dates are then not compared with today. */
  readonly timeZone: string | null;
}

/** One stop merged with its location, and its problems. */
export function readStop(wire: StopShape | undefined, reading: StopReading): ReadStop {
  if (wire === undefined) return { stop: null, timeZone: null };
  const { path, kind, problems } = reading;
  if (kind === 'furniture' && Object.values(wire.services ?? {}).includes(true)) {
    const remedy = 'put the wish into the description';
    problems.add(`${path}.services`, 'furniture listings have no services', remedy);
  }
  const { isResolved, stop } = withLocation(wire, reading);
  if (!isResolved) {
    // Check only what the order gives: the missing parts may belong to the location that was meant.
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
