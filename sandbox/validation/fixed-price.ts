import { z } from 'zod';
import { countryOfPostalCode } from '../model/geography';
import { readBody, type Fields } from './fields';
import { readInsurance } from './values';
import type { SandboxSwitches } from '../model/switches';
import { readFurnitureItem } from './items';

const source = z.string().regex(/^[a-z0-9]+$/u, 'must be lower case letters and digits only');

/** Contract, "Fixed price request". */
export function readFixedPrice(body: unknown, switches: SandboxSwitches) {
  return readBody(body, switches, (fields) => {
    fields.text('source', { required: true, schema: source });
    const origin = readPlace(fields, 'origin');
    const destination = readPlace(fields, 'destination');
    const lines = fields.objects('items', { required: true, atLeast: 1 }) ?? [];
    const rule = { sized: true, weight: switches.furnitureWeight };
    const items = lines.map((line) => readFurnitureItem(line, rule));
    const coverage = readInsurance(fields);
    fields.text('userId');
    fields.text('commodity');
    const priceCorrelationId = fields.text('priceCorrelationId');
    // Protection is for US shippers and domestic moves.
    if (coverage !== undefined && (origin.country === 'CA' || destination.country === 'CA'))
      fields.refuse('insurance', 'protection is available for moves within the US only');
    return {
      ...{ items, coverage, priceCorrelationId },
      originPostalCode: origin.postalCode,
      destinationPostalCode: destination.postalCode,
    };
  });
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
  return { postalCode, country: given ?? found };
}
