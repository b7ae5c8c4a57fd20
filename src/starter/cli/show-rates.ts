import pc from 'picocolors';
import { formatMoney } from '../../domain/money';
import type { RateDescription } from '../../domain/rate';
import type { RateDecision } from '../../domain/rate-choice';
import { printable } from './printable';

/** Service, mode and vehicle as far as the carrier names them; its `Undefined` says nothing. */
export function serviceWords({ serviceType, transportMode, vehicleType }: Partial<RateDescription>): string {
  return [serviceType, transportMode, vehicleType]
    .filter((part) => part != null && part !== 'Undefined')
    .join(', ');
}

/** The provider's own text in quotation marks; empty when there is none. */
export function providerWords({ additionalInformation }: Partial<RateDescription>): string {
  return additionalInformation == null ? '' : `"${printable(additionalInformation)}"`;
}

/** In brackets behind a price. */
function bracketed(rate: RateDescription): string {
  const words = [serviceWords(rate), providerWords(rate)].filter((part) => part !== '').join('; ');
  return words === '' ? '' : ` (${words})`;
}

/** The decision about the rates, in lines: which rate was accepted by which rule, and why each other one lost. */
export function rateLines({ chosen, losses, rule }: RateDecision): string[] {
  const isByPerson = rule === 'person';
  const why = isByPerson ? 'selected' : `the best fit by ${rule}`;
  const taken =
    chosen === null
      ? []
      : [`  ${chosen.carrier.displayName}, ${formatMoney(chosen.totalPrice)}${bracketed(chosen)}: ${why}`];
  const lost = losses.map((loss) => `  ${loss.carrier}, ${loss.price}${bracketed(loss)}: ${loss.why}`);
  return [
    ...(taken.length === 0
      ? []
      : [pc.bold(`Rate chosen by ${isByPerson ? 'a person' : 'the policy'}`), ...taken]),
    ...(lost.length === 0 ? [] : [pc.bold('Rates not chosen'), ...lost]),
  ];
}
