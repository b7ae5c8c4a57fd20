import type { SandboxSwitches } from '../model/switches';

/** In English the label of a value is its words. */
const translations: Readonly<Record<string, Readonly<Record<'fr' | 'es', string>>>> = {
  Active: { fr: 'Actif', es: 'Activo' },
  Booked: { fr: 'Réservé', es: 'Reservado' },
  Completed: { fr: 'Terminé', es: 'Completado' },
  Cancelled: { fr: 'Annulé', es: 'Cancelado' },
  ReadyForDispatch: { fr: 'Prêt à être expédié', es: 'Listo para despacho' },
  Dispatched: { fr: 'Expédié', es: 'Despachado' },
  PickedUp: { fr: 'Ramassé', es: 'Recogido' },
  Delivered: { fr: 'Livré', es: 'Entregado' },
  Residence: { fr: 'Résidence', es: 'Residencia' },
  Trucking: { fr: 'Transport routier', es: 'Transporte por carretera' },
  Rail: { fr: 'Rail', es: 'Ferrocarril' },
};

const locales = { en: 'en-US', fr: 'fr-CA', es: 'es-US' };

/** `BusinessWithLoadingDock` reads as "Business With Loading Dock". */
const spaced = (value: string): string =>
  value.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, ' ').replaceAll('_', ' ');

/** How the marketplace words things: enums, money and instants, as the switches of the moment want them. */
export class Labels {
  constructor(private readonly switches: Readonly<SandboxSwitches>) {}

  /** A translatable enum: only `value` is meant for programs; both labels change with the language. */
  trio(value: string) {
    const { labels } = this.switches;
    const label = (labels === 'en' ? undefined : translations[value]?.[labels]) ?? spaced(value);
    return { value, label, shortLabel: label };
  }

  /** Three fields, as the contract has them in a rate's `totalPrice`. */
  amount(value: number, currency: string) {
    const locale = locales[this.switches.labels];
    const format = (maximumFractionDigits: number): string =>
      value.toLocaleString(locale, { style: 'currency', currency, maximumFractionDigits });
    return { value, label: format(2), shortLabel: format(0) };
  }

  /** Four fields, as the contract has them in the price objects of a listing. */
  price(value: number, currency: string) {
    return { ...this.amount(value, currency), currencyType: this.trio(currency) };
  }

  weight(grams: number) {
    const label = `${(grams / 1000).toFixed(1)} kg`;
    return { value: this.switches.weightAsText ? String(grams) : grams, label, shortLabel: label };
  }

  instant(date: Date): string {
    const text = new Date(date.getTime() + this.switches.clockSkewInSeconds * 1000).toISOString();
    const forms = {
      milliseconds: text,
      seconds: text.replace(/\.\d+Z$/u, 'Z'),
      sevenDigits: text.replace(/Z$/u, '0000Z'),
    };
    return forms[this.switches.timestamps];
  }
}
