import type { SandboxContext } from '../market/context';
import type { AccountCall } from './endpoint';
import type { Answer } from '../model/answer';
import { readFormOrJson } from '../validation/form';
import { distanceInMeters, placeOfPostalCode } from '../model/geography';
import { fixedPriceOf, premiumOf } from '../carrier/pricing';
import { loadOf } from '../model/load';
import { objectOf, type JsonObject } from '../model/json';
import type { Money } from '../model/state';
import { readFixedPrice } from '../validation/fixed-price';

export const fixedPriceActs = { getFixedPrice };

function getFixedPrice(context: SandboxContext, { request }: AccountCall): Answer {
  const { fixedPriceBody, formNesting } = context.switches;
  const body = readFormOrJson(request, fixedPriceBody, formNesting);
  const asked = readFixedPrice(body, context.switches);
  const distance = distanceInMeters(
    placeOfPostalCode(asked.originPostalCode),
    placeOfPostalCode(asked.destinationPostalCode),
  );
  const price = fixedPriceOf(distance, loadOf(asked.items));
  const priceCorrelationId = asked.priceCorrelationId ?? context.store.ids.uuid();
  return { status: 200, body: { ...price, priceCorrelationId, ...insurancePart(context, asked.coverage) } };
}

/** "Location of the premium amount within the response: not shown": the switch `premiumPosition` moves it. */
function insurancePart(context: SandboxContext, coverage: Money | undefined): JsonObject {
  if (coverage === undefined) return {};
  const { amount, currencyType } = coverage;
  const premium = { amount: premiumOf(amount), currencyType };
  const insuranceQuote = { coverageAmount: { amount, currencyType } };
  const { premiumPath, premiumPosition } = context.switches;
  const forms: Record<typeof premiumPosition, JsonObject> = {
    insuranceQuote: { insuranceQuote: { ...insuranceQuote, premium } },
    insurance: { insuranceQuote, insurance: { premium } },
    top: { insuranceQuote, premium },
    path: put({ insuranceQuote }, premiumPath.split('.'), premium.amount),
    missing: { insuranceQuote },
  };
  return forms[premiumPosition];
}

/** The value at the end of the path, beside what stands there already. */
function put(object: JsonObject, [name = '', ...rest]: readonly string[], value: number): JsonObject {
  return { ...object, [name]: rest.length === 0 ? value : put(objectOf(object[name]), rest, value) };
}
