import { expect, test } from '@jest/globals';
import { holidayOn } from '../../../src/domain/holidays';
import { nextOpenDay } from '../../../src/domain/open-day';

const holidaysOf = (year: number, country: string): string[] =>
  Array.from({ length: 366 }, (_, index) => new Date(Date.UTC(year, 0, 1 + index)).toISOString().slice(0, 10))
    .filter((day) => day.startsWith(String(year)))
    .filter((day) => holidayOn(day, country) !== null)
    .map((day) => day.slice(5));

test.each<[number, string, string]>([
  // Worked out by hand with a calendar, not taken from the rules that are tested.
  [2026, 'US', '01-01 01-19 02-16 05-25 06-19 07-03 07-04 09-07 10-12 11-11 11-26 12-25'],
  [2027, 'US', '01-01 01-18 02-15 05-31 06-18 06-19 07-04 07-05 09-06 10-11 11-11 11-25 12-24 12-25 12-31'],
  [2028, 'US', '01-01 01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-10 11-11 11-23 12-25'],
  [2026, 'CA', '01-01 04-03 05-18 07-01 09-07 09-30 10-12 11-11 12-25 12-26 12-28'],
  [2027, 'CA', '01-01 03-26 05-24 07-01 09-06 09-30 10-11 11-11 12-25 12-26 12-27 12-28'],
  [2022, 'CA', '01-01 01-03 04-15 05-23 07-01 09-05 09-30 10-10 11-11 12-25 12-26 12-27'],
  [2027, 'MX', ''],
])(
  'the public holidays of %i in %s, with the days that replace those on a weekend',
  (year, country, days) => {
    expect(holidaysOf(year, country).join(' ')).toBe(days);
  },
);

test.each([
  [2024, '03-29'],
  [2025, '04-18'],
  [2035, '03-23'],
  [2038, '04-23'],
  [2285, '03-20'],
])('Good Friday of %i is on %s', (year, day) => {
  expect(holidayOn(`${year}-${day}`, 'CA')).toBe('Good Friday');
});

test.each([
  ['2027-07-03', 'US', [], '2027-07-06'],
  ['2027-07-05', 'US', ['2027-07-06'], '2027-07-07'],
  ['2027-07-05', 'CA', [], '2027-07-05'],
  ['2027-12-24', 'US', [], '2027-12-27'],
  ['2027-12-25', 'CA', [], '2027-12-29'],
  ['2027-12-31', 'US', [], '2028-01-03'],
  ['2027-07-05', null, [], '2027-07-05'],
])('the first open day from %s in %s with %j closed is %s', (day, country, closedDays, open) => {
  expect(nextOpenDay(day, { closedDays, country })).toBe(open);
});
