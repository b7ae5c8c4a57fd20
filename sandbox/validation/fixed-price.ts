import { countryOfPostalCode } from '../model/geography';
import type { Item, Money } from '../model/state';
import { Problems, Fields } from './fields';
import { readInsurance } from './values';
import { objectOf } from '../model/json';
import type { SandboxSwitches } from '../model/switches';
import { readFurnitureItem } from './items';

export interface FixedPriceRequest {
  readonly originPostalCode: string;
  readonly destinationPostalCode: string;
  readonly items: readonly Item[];
  readonly coverage?: Money;
  readonly priceCorrelationId?: string;
}

/** Contract, "Fixed price request". */
export function readFixedPrice(
  body: unknown,
  { furnitureWeight, unknownFields }: Pick<SandboxSwitches, 'furnitureWeight' | 'unknownFields'>,
): FixedPriceRequest {
  const problems = new Problems(unknownFields === 'refused');
  const fields = new Fields(objectOf(body), '', problems);
  fields.text('source', {
    required: true,
    pattern: /^[a-z0-9]+$/u,
    hint: 'must be lower case letters and digits only',
  });
  const origin = readPlace(fields, 'origin');
  const destination = readPlace(fields, 'destination');
  const lines = fields.objects('items', { required: true, atLeast: 1 }) ?? [];
  const items = lines.map((line) => readFurnitureItem(line, { sized: true, weight: furnitureWeight }));
  const coverage = readInsurance(fields);
  fields.text('userId');
  fields.text('commodity');
  const priceCorrelationId = fields.text('priceCorrelationId');
  fields.done();
  // Protection is for US shippers and domestic moves.
  if (coverage !== undefined && (origin.country === 'CA' || destination.country === 'CA'))
    fields.refuse('insurance', 'protection is available for moves within the US only');
  problems.throwIfAny();
  return {
    originPostalCode: origin.postalCode,
    destinationPostalCode: destination.postalCode,
    items,
    ...(coverage === undefined ? {} : { coverage }),
    ...(priceCorrelationId === undefined ? {} : { priceCorrelationId }),
  };
}

/** Fixed price quotes cover the US and Canada only. */
function readPlace(fields: Fields, side: 'origin' | 'destination'): { postalCode: string; country?: string } {
  const postalCode = fields.text(`${side}PostalCode`, { required: true }) ?? '';
  const given = fields.text(`${side}CountryCode`);
  const found = countryOfPostalCode(postalCode);
  if (given !== undefined && given !== 'US' && given !== 'CA')
    fields.refuse(`${side}CountryCode`, 'fixed prices cover the US and Canada only');
  else if (postalCode !== '' && found === undefined)
    fields.refuse(`${side}PostalCode`, 'is not a postal code of the US or Canada');
  else if (given !== undefined && found !== undefined && given !== found)
    fields.refuse(`${side}PostalCode`, `is not a postal code of ${given}`);
  const country = given ?? found;
  return { postalCode, ...(country === undefined ? {} : { country }) };
}
