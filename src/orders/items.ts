import type { FurnitureItem, LtlItem } from '../domain/shipment';
import { FREIGHT_CLASSES, HANDLING_UNITS, LTL_COMMODITIES, nearest } from './codes';
import type { OrderAccount } from './order-account';
import type { Problems } from './problem';
import type { FurnitureOrderWire, ItemWire, LtlItemWire } from './schema';
import { toGrams, toMeters } from './units';

/** Sizes beyond which a unit was mistaken: nobody ships a sofa of 84 metres, or of 26 grams. */
const MAX_METERS = 12;
const MIN_GRAMS = 200;
const MAX_GRAMS = 10_000_000;

function readSize(item: ItemWire, path: string, problems: Problems) {
  if (item.size === undefined) return null;
  const { unit } = item.size;
  const meters = (side: 'length' | 'width' | 'height', value: number): number => {
    const result = toMeters(value, unit);
    if (result > MAX_METERS || result < 0.01) {
      const guess = result > MAX_METERS ? (unit === 'm' ? 'in' : 'cm') : 'in';
      problems.add(
        `${path}.size.${side}`,
        `${value} ${unit} are ${result} metres, which is hardly meant`,
        `check the unit; "${guess}" perhaps`,
      );
    }
    return result;
  };
  return {
    lengthInMeters: meters('length', item.size.length),
    widthInMeters: meters('width', item.size.width),
    heightInMeters: meters('height', item.size.height),
  };
}

function readWeight(item: ItemWire, path: string, problems: Problems): number | null {
  if (item.weightEach === undefined) return null;
  const { value, unit } = item.weightEach;
  const grams = toGrams(value, unit);
  if (grams < MIN_GRAMS || grams > MAX_GRAMS) {
    problems.add(
      `${path}.weightEach`,
      `${value} ${unit} are ${grams} grams each, which is hardly meant`,
      `check the unit; "${unit === 'g' ? 'kg' : 'lb'}" perhaps`,
    );
  }
  return grams;
}

function need(what: unknown, path: string, problems: Problems): void {
  if (what === null)
    problems.add(
      path,
      'is missing',
      'the marketplace prices by size and weight; measure it with its packaging',
    );
}

export function readFurnitureItem(
  item: FurnitureOrderWire['items'][number],
  index: number,
  problems: Problems,
): FurnitureItem {
  const path = `$.items[${index}]`;
  const size = readSize(item, path, problems);
  const weightInGrams = readWeight(item, path, problems);
  need(size, `${path}.size`, problems);
  need(weightInGrams, `${path}.weightEach`, problems);
  return {
    title: item.title ?? item.commodity,
    description: item.description ?? null,
    commodity: item.commodity,
    quantity: item.quantity,
    ...(size ?? { lengthInMeters: 0, widthInMeters: 0, heightInMeters: 0 }),
    weightInGrams: weightInGrams ?? 0,
  };
}

function readCode(
  value: string,
  path: string,
  what: string,
  codes: readonly string[],
  problems: Problems,
): string {
  if (codes.includes(value)) return value;
  const guess = nearest(value, codes);
  problems.add(
    path,
    `${value} is no ${what}`,
    guess === null ? `use one of: ${codes.slice(0, 60).join(', ')}` : `did you mean ${guess}?`,
  );
  return value;
}

export function readLtlItem(
  item: LtlItemWire,
  index: number,
  account: OrderAccount,
  problems: Problems,
): LtlItem {
  const path = `$.items[${index}]`;
  const size = readSize(item, path, problems);
  const weightInGrams = readWeight(item, path, problems);
  const freightClass =
    item.freightClass === undefined
      ? null
      : readCode(item.freightClass, `${path}.freightClass`, 'freight class', FREIGHT_CLASSES, problems);
  if (freightClass === null) {
    need(size, `${path}.size`, problems);
    need(weightInGrams, `${path}.weightEach`, problems);
  }
  if (item.hazardous && !account.allowHazardous) {
    problems.add(
      `${path}.hazardous`,
      'hazardous goods are not allowed for this account',
      'ship them another way, or set allowHazardous on the account once it is agreed',
    );
  }
  // Both spellings are met; one is sent.
  const unit = /^Pallets48x40Inches$/i.test(item.handlingUnit) ? 'Pallets48X40Inches' : item.handlingUnit;
  return {
    title: item.title ?? null,
    description: item.description ?? null,
    commodity: readCode(item.commodity, `${path}.commodity`, 'LTL commodity', LTL_COMMODITIES, problems),
    quantity: item.quantity,
    handlingUnit: readCode(unit, `${path}.handlingUnit`, 'handling unit', HANDLING_UNITS, problems),
    packaging: item.packaging ?? null,
    stackable: item.stackable,
    hazardous: item.hazardous,
    freightClass,
    ...(size ?? { lengthInMeters: null, widthInMeters: null, heightInMeters: null }),
    weightInGrams,
  };
}
