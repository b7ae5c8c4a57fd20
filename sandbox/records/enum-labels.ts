import type { SandboxSwitches } from '../model/switches';

/** A translatable enum: only `value` is meant for programs; both labels change with the language. */
export interface EnumTrio {
  readonly value: string;
  readonly label: string;
  readonly shortLabel: string;
}

export interface MoneyTrio {
  readonly value: number;
  readonly label: string;
  readonly shortLabel: string;
  readonly currencyType?: EnumTrio;
}

type Language = SandboxSwitches['labels'];

/** In English the label of a value is its words. */
const translations: readonly (readonly [value: string, fr: string, es: string])[] = [
  ['Active', 'Actif', 'Activo'],
  ['Booked', 'Réservé', 'Reservado'],
  ['Completed', 'Terminé', 'Completado'],
  ['Cancelled', 'Annulé', 'Cancelado'],
  ['ReadyForDispatch', 'Prêt à être expédié', 'Listo para despacho'],
  ['Dispatched', 'Expédié', 'Despachado'],
  ['PickedUp', 'Ramassé', 'Recogido'],
  ['Delivered', 'Livré', 'Entregado'],
  ['Residence', 'Résidence', 'Residencia'],
  ['Trucking', 'Transport routier', 'Transporte por carretera'],
  ['Rail', 'Rail', 'Ferrocarril'],
];
const placeOf = { fr: 1, es: 2 } as const;

const locales: Readonly<Record<Language, string>> = { en: 'en-US', fr: 'fr-CA', es: 'es-US' };

/** `BusinessWithLoadingDock` reads as "Business With Loading Dock". */
const spaced = (value: string): string =>
  value.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, ' ').replaceAll('_', ' ');

/** How the marketplace words things: enums, money and instants, as the switches of the moment want them. */
export class Labels {
  constructor(private readonly switches: Readonly<SandboxSwitches>) {}

  trio(value: string): EnumTrio {
    const { labels } = this.switches;
    const words = translations.find(([known]) => known === value);
    const label = (labels === 'en' ? undefined : words?.[placeOf[labels]]) ?? spaced(value);
    return { value, label, shortLabel: label };
  }

  trioOrNothing(value: string | undefined): EnumTrio | undefined {
    return value === undefined ? undefined : this.trio(value);
  }

  /** Three fields, as the contract has them in a rate's `totalPrice`. */
  amount(value: number, currency: string): MoneyTrio {
    const locale = locales[this.switches.labels];
    const format = (digits: number): string =>
      new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: digits }).format(
        value,
      );
    return { value, label: format(2), shortLabel: format(0) };
  }

  /** Four fields, as the contract has them in the price objects of a listing. */
  price(value: number, currency: string): MoneyTrio {
    return { ...this.amount(value, currency), currencyType: this.trio(currency) };
  }

  weight(grams: number): { value: number | string; label: string; shortLabel: string } {
    const label = `${(grams / 1000).toFixed(1)} kg`;
    return { value: this.switches.weightAsText ? String(grams) : grams, label, shortLabel: label };
  }

  instant(date: Date): string {
    const text = new Date(date.getTime() + this.switches.clockSkewInSeconds * 1000).toISOString();
    switch (this.switches.timestamps) {
      case 'seconds':
        return text.replace(/\.\d+Z$/u, 'Z');
      case 'sevenDigits':
        return text.replace(/Z$/u, '0000Z');
      default:
        return text;
    }
  }

  instantOrNothing(date: Date | undefined): string | undefined {
    return date === undefined ? undefined : this.instant(date);
  }
}
