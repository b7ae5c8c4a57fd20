import { freightClasses, handlingUnits, ltlCommodities } from '../codes';
import { compact } from '../json';
import type { Item } from '../state';
import type { Fields } from './fields';

const metric = { above: 0 } as const;

/** A line of the furniture flow. The contract spells Title, Commodity and Description with capitals there. */
export function readFurnitureItem(fields: Fields, rule: { sized: boolean }): Item {
  const size = { ...metric, required: rule.sized };
  const item = {
    title: fields.text('Title', {}, 'title'),
    description: fields.text('Description', {}, 'description'),
    commodity: fields.text('Commodity', {}, 'commodity'),
    unitCount: fields.number('unitCount', { required: true, integer: true, from: 1 }) ?? 1,
    lengthInMeters: fields.number('lengthInMeters', size),
    widthInMeters: fields.number('widthInMeters', size),
    heightInMeters: fields.number('heightInMeters', size),
    weightInGrams: fields.number('weightInGrams', { ...size, integer: true }),
  };
  fields.done();
  return { ...compact(item), unitCount: item.unitCount };
}

/** Contract, "LTL item": either a freight class, or length, height and weight. */
export function readLtlItem(fields: Fields): Item {
  const freightClass = fields.number('freightClass');
  if (freightClass !== undefined && !freightClasses.includes(freightClass))
    fields.refuse('freightClass', `must be one of ${freightClasses.join(', ')}`);
  const size = { ...metric, required: freightClass === undefined };
  const item = {
    freightClass,
    commodity: fields.text('commodity', { required: true, allowed: ltlCommodities }),
    handlingUnit: fields.text('handlingUnit', { required: true, allowed: handlingUnits }),
    unitCount: fields.number('unitCount', { integer: true, from: 1 }) ?? 1,
    lengthInMeters: fields.number('lengthInMeters', size),
    heightInMeters: fields.number('heightInMeters', size),
    widthInMeters: fields.number('widthInMeters', metric),
    weightInGrams: fields.number('weightInGrams', { ...size, integer: true }),
    packaging: fields.text('packaging'),
    stackable: fields.flag('stackable'),
    hazardous: fields.flag('hazardous'),
    title: fields.text('title'),
    description: fields.text('description'),
  };
  fields.done();
  return { ...compact(item), unitCount: item.unitCount };
}
