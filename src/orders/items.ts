import type { FurnitureItem, LtlItem } from '../domain/shipment';
import { FREIGHT_CLASSES } from '../domain/ltl-codes';
import { HANDLING_UNITS, LTL_COMMODITIES } from './codes';
import { correctionOf } from './spelling';
import type { OrderAccount } from './order-account';
import { readSize, readWeight } from './plausibility';
import type { Problems } from './problem';
import type { FurnitureItemShape, LtlItemShape } from './item-schema';

function need(what: unknown, path: string, problems: Problems): void {
  if (what === null) {
    const remedy = 'measure it with its packaging, or give a freightClass';
    problems.add(path, 'is missing', remedy);
  }
}

/** One line of furniture; null when it lacks a part that has no default. */
export function readFurnitureItem(
  item: FurnitureItemShape,
  index: number,
  problems: Problems,
): FurnitureItem | null {
  const path = `$.items[${index}]`;
  const size = readSize(item.size, path, problems);
  const weightInGrams = readWeight(item.weightEach, path, problems);
  const { commodity, quantity = 1 } = item;
  if (size === null || weightInGrams === null || commodity === undefined) return null;
  const description = item.description ?? null;
  return { title: item.title ?? commodity, description, commodity, quantity, ...size, weightInGrams };
}

interface CodeList {
  readonly what: string;
  readonly codes: readonly string[];
  /** What to do when no code is similar. */
  readonly otherwise: string;
}

const COMMODITY: CodeList = {
  what: 'an LTL commodity',
  codes: LTL_COMMODITIES,
  // A list of all 57 codes would hide the other problems.
  otherwise:
    'use a code of the API: NewCommercialGoods, UsedCommercialGoods, GeneralFreight or OtherLessthanTruckloadGoods suit most goods',
};
const HANDLING_UNIT: CodeList = {
  what: 'a handling unit',
  codes: HANDLING_UNITS,
  otherwise: `use one of: ${HANDLING_UNITS.join(', ')}`,
};

/** Both spellings occur (contract, Handling units); Consign sends one. */
const isPallet = (unit: string): boolean => /^Pallets48x40Inches$/i.test(unit);

/** Words of the other kind of order. LTL has general codes for them. */
const isFurniture = (commodity: string): boolean =>
  /furniture|sofa|couch|table|chair|wardrobe|dresser|mattress|piano|household/i.test(commodity);
const FURNITURE_ADVICE =
  'for a furniture order set "kind": "furniture"; for LTL use NewCommercialGoods or UsedCommercialGoods';

function checkCode(value: string | undefined, path: string, list: CodeList, problems: Problems): void {
  if (value === undefined || list.codes.includes(value)) return;
  const { remedy, fix } = correctionOf(value, list.codes, { path, otherwise: list.otherwise });
  problems.add(path, `${value} is not ${list.what}`, remedy, fix);
}

/** A wrong class is billed afterwards. So Consign guesses none by its spelling, but names the neighbours. */
function checkFreightClass(given: string | undefined, path: string, problems: Problems): string | null {
  if (given === undefined) return null;
  if (FREIGHT_CLASSES.includes(given)) return given;
  // Only digits: `Number` would take 0x46 for 70, and 1e2 for 100.
  const number = /^\s*[1-9]\d*(\.\d+)?\s*$/.test(given) ? Number(given) : NaN;
  const same = FREIGHT_CLASSES.find((known) => Number(known) === number);
  if (same !== undefined) return same;
  const below = FREIGHT_CLASSES.findLast((known) => Number(known) < number);
  const above = FREIGHT_CLASSES.find((known) => Number(known) > number);
  const neighbours =
    below === undefined || above === undefined
      ? `use one of: ${FREIGHT_CLASSES.join(', ')}`
      : `the nearest classes are ${below} and ${above}`;
  const remedy = `${neighbours}; when unsure, leave it out and give size and weight`;
  problems.add(`${path}.freightClass`, `${given} is not a freight class`, remedy);
  return null;
}

/** One line of LTL goods (contract: LTL item); null when it lacks a part that has no default. */
export function readLtlItem(
  item: LtlItemShape,
  index: number,
  account: OrderAccount | null,
  problems: Problems,
): LtlItem | null {
  const path = `$.items[${index}]`;
  const size = readSize(item.size, path, problems);
  const weightInGrams = readWeight(item.weightEach, path, problems);
  const freightClass = checkFreightClass(item.freightClass, path, problems);
  if (item.freightClass === undefined) {
    need(size, `${path}.size`, problems);
    need(weightInGrams, `${path}.weightEach`, problems);
  }
  if (item.hazardous === true && account?.allowHazardous === false) {
    problems.add(
      `${path}.hazardous`,
      'hazardous goods are not allowed for this account',
      'ship them another way, or set allowHazardous on the account after agreeing it with the marketplace',
    );
  }
  const { commodity } = item;
  const handlingUnit =
    item.handlingUnit !== undefined && isPallet(item.handlingUnit) ? 'Pallets48X40Inches' : item.handlingUnit;
  const isOther = commodity !== undefined && isFurniture(commodity);
  const commodities = isOther ? { ...COMMODITY, otherwise: FURNITURE_ADVICE } : COMMODITY;
  checkCode(commodity, `${path}.commodity`, commodities, problems);
  checkCode(handlingUnit, `${path}.handlingUnit`, HANDLING_UNIT, problems);
  if (commodity === undefined || handlingUnit === undefined) return null;
  return {
    title: item.title ?? null,
    description: item.description ?? null,
    commodity,
    quantity: item.quantity ?? 1,
    handlingUnit,
    packaging: item.packaging ?? null,
    stackable: item.stackable ?? false,
    hazardous: item.hazardous ?? false,
    freightClass,
    ...(size ?? { lengthInMeters: null, widthInMeters: null, heightInMeters: null }),
    weightInGrams,
  };
}
