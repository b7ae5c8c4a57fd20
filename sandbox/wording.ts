import type { SandboxSwitches } from './switches';

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

const translations: Readonly<Record<Exclude<Language, 'en'>, Readonly<Record<string, string>>>> = {
  fr: {
    Active: 'Actif',
    Booked: 'Réservé',
    Completed: 'Terminé',
    Cancelled: 'Annulé',
    ReadyForDispatch: 'Prêt à être expédié',
    Dispatched: 'Expédié',
    PickedUp: 'Ramassé',
    Delivered: 'Livré',
    Residence: 'Résidence',
    Trucking: 'Transport routier',
    Rail: 'Rail',
  },
  es: {
    Active: 'Activo',
    Booked: 'Reservado',
    Completed: 'Completado',
    Cancelled: 'Cancelado',
    ReadyForDispatch: 'Listo para despacho',
    Dispatched: 'Despachado',
    PickedUp: 'Recogido',
    Delivered: 'Entregado',
    Residence: 'Residencia',
    Trucking: 'Transporte por carretera',
    Rail: 'Ferrocarril',
  },
};

const locales: Readonly<Record<Language, string>> = { en: 'en-US', fr: 'fr-CA', es: 'es-US' };

/** `BusinessWithLoadingDock` reads as "Business With Loading Dock". */
const spaced = (value: string): string =>
  value.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, ' ').replaceAll('_', ' ');

/** How the marketplace words things: enums, money and instants, as the switches of the moment want them. */
export class Wording {
  constructor(private readonly switches: Readonly<SandboxSwitches>) {}

  trio(value: string): EnumTrio {
    const { labels } = this.switches;
    const label = (labels === 'en' ? undefined : translations[labels][value]) ?? spaced(value);
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
