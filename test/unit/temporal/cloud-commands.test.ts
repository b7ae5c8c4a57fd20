import { expect, test } from '@jest/globals';
import { SEARCH_ATTRIBUTES } from '../../../src/contract/search-attributes';
import { cloudCommands } from '../../../src/temporal/cloud-commands';

const needs = { searchAttributes: SEARCH_ATTRIBUTES, retentionDays: 90 };

test('the commands add all search attributes at once, with the types of the Cloud, and set the retention', () => {
  expect(cloudCommands('freight.a1b2c', needs)).toEqual([
    'tcld namespace search-attributes add --namespace freight.a1b2c --search-attribute OrderId=Keyword ' +
      '--search-attribute Account=Keyword --search-attribute ShipmentKind=Keyword ' +
      '--search-attribute ShipmentPhase=Keyword --search-attribute ListingId=Keyword ' +
      '--search-attribute TransitStatus=Keyword --search-attribute PickupOn=Datetime ' +
      '--search-attribute NeedsAttention=Bool --search-attribute WaitsForAccount=Bool ' +
      '--search-attribute ReferenceNumbers=KeywordList',
    'tcld namespace retention set --namespace freight.a1b2c --retention-days 90',
  ]);
});

test.each([
  ['TEXT', 'Text'],
  ['INT', 'Int'],
  ['DOUBLE', 'Double'],
  ['KEYWORD_LIST', 'KeywordList'],
] as const)('the Cloud calls %s %s', (kind, called) => {
  const [add] = cloudCommands('freight.a1b2c', { searchAttributes: { Note: kind }, retentionDays: 90 });
  expect(add).toBe(
    `tcld namespace search-attributes add --namespace freight.a1b2c --search-attribute Note=${called}`,
  );
});

test.each(['default', '', 'freight', 'freight.a1b2c; rm -rf /', '$(id).a'])(
  '%j is no namespace of the Cloud, so a placeholder stands for it',
  (namespace) => {
    for (const command of cloudCommands(namespace, needs)) {
      expect(command).toContain('--namespace NAMESPACE.ACCOUNT ');
      expect(command).not.toContain('rm -rf');
    }
  },
);
