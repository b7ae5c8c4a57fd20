import { z } from 'zod';
import { freightClasses, handlingUnits, ltlCommodities } from '../model/codes';
import type { Item } from '../model/state';
import type { SandboxSwitches } from '../model/switches';
import { aboveZero, oneOf, type Fields } from './fields';

const grams = z.int().positive();
const count = z.int().min(1);

type ItemKeys = SandboxSwitches['listingItemKeys'];

/** The contract spells Title, Commodity and Description with capitals; the switch takes either spelling or one. */
function readWords(fields: Fields, keys: ItemKeys): Pick<Item, 'title' | 'description' | 'commodity'> {
  const read = (capitalised: string, camelCase: string): string | undefined => {
    const refused = keys === 'capitalised' ? camelCase : capitalised;
    if (keys !== 'either' && fields.raw(refused) !== undefined)
      fields.refuse(refused, `is not taken here; the keys are ${keys}`);
    const [given = capitalised] = [capitalised, camelCase].filter((name) => fields.raw(name) !== undefined);
    return fields.text(given);
  };
  return {
    title: read('Title', 'title'),
    description: read('Description', 'description'),
    commodity: read('Commodity', 'commodity'),
  };
}

/** A line of the furniture flow; whose weight it names is a switch. */
export function readFurnitureItem(
  fields: Fields,
  rule: { sized: boolean; weight: SandboxSwitches['furnitureWeight']; keys?: ItemKeys },
): Item {
  const size = { schema: aboveZero, required: rule.sized };
  return {
    ...readWords(fields, rule.keys ?? 'either'),
    unitCount: fields.number('unitCount', { required: true, schema: count }) ?? 1,
    lengthInMeters: fields.number('lengthInMeters', size),
    widthInMeters: fields.number('widthInMeters', size),
    heightInMeters: fields.number('heightInMeters', size),
    weightInGrams: fields.number('weightInGrams', { ...size, schema: grams }),
    isWeightOfLine: rule.weight === 'line',
  };
}

/**
 * Contract, "LTL item": either a freight class, or length, height and weight. The weight is "of the item or unit": the
 * switch says which.
 */
export function readLtlItem(fields: Fields, { ltlWeight }: Pick<SandboxSwitches, 'ltlWeight'>): Item {
  const freightClass = fields.number('freightClass');
  if (freightClass !== undefined && !freightClasses.includes(freightClass))
    fields.refuse('freightClass', `must be one of ${freightClasses.join(', ')}`);
  const size = { schema: aboveZero, required: freightClass === undefined };
  return {
    freightClass,
    commodity: fields.text('commodity', { required: true, schema: oneOf(ltlCommodities) }),
    handlingUnit: fields.text('handlingUnit', { required: true, schema: oneOf(handlingUnits) }),
    unitCount: fields.number('unitCount', { schema: count }) ?? 1,
    lengthInMeters: fields.number('lengthInMeters', size),
    heightInMeters: fields.number('heightInMeters', size),
    widthInMeters: fields.number('widthInMeters', { schema: aboveZero }),
    weightInGrams: fields.number('weightInGrams', { ...size, schema: grams }),
    packaging: fields.text('packaging'),
    stackable: fields.flag('stackable'),
    hazardous: fields.flag('hazardous'),
    title: fields.text('title'),
    description: fields.text('description'),
    isWeightOfLine: ltlWeight === 'line',
  };
}
