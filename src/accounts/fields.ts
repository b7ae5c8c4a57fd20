import { described } from '../platform/described';
import { fieldOf, type Field } from '../orders/fields';
import { jsonSchemaOf } from '../orders/json-schema';
import { policySchema } from '../orders/policy-schema';
import { furnitureOrderSchema, ltlOrderSchema } from '../orders/schema';
import { accountsSchema } from './schema';

/** Every document that Consign reads, with all its fields: orders of both kinds, policies, and the accounts file. */
export function documentFields(): readonly Field[] {
  const { accounts, integrations, apiTokens } = accountsSchema.shape;
  return [
    fieldOf('furniture', jsonSchemaOf(described(furnitureOrderSchema, 'An order of furniture.'))),
    fieldOf('ltl', jsonSchemaOf(described(ltlOrderSchema, 'An order of LTL freight.'))),
    fieldOf(
      'policy',
      jsonSchemaOf(
        described(policySchema, 'How long Consign waits, which price is too high, which rate it takes.'),
      ),
    ),
    fieldOf('accounts', jsonSchemaOf(accounts)),
    fieldOf('integrations', jsonSchemaOf(integrations), false),
    fieldOf('apiTokens', jsonSchemaOf(apiTokens), false),
  ];
}
