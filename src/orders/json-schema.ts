import { z } from 'zod';
import { furnitureOrderSchema, ltlOrderSchema } from './schema';

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** The version of JSON Schema: editors read the older one, OpenAPI is made of the newer one. */
type Draft = 'draft-7' | 'draft-2020-12';

/** What a document may contain before it is read. Rules that a JSON Schema cannot express are left out. */
export function jsonSchemaOf(schema: z.ZodType, target: Draft = 'draft-7'): JsonSchema {
  return z.toJSONSchema(schema, {
    ...{ io: 'input', target },
    override: ({ zodSchema, jsonSchema }) => {
      // zod omits the default of what it transforms, because it would be one of the result: Consign's are as written.
      const usual = z.globalRegistry.get(zodSchema)?.default;
      if (usual !== undefined) jsonSchema.default = usual;
      // No limit of a document, but of every whole number of the language.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
}

/** The JSON Schema of an order document of either kind. */
export function orderJsonSchema(target?: Draft): JsonSchema {
  const either = z.discriminatedUnion('kind', [furnitureOrderSchema, ltlOrderSchema]);
  const description =
    'An order document. Consign also checks what depends on the account, the date and several fields.';
  return jsonSchemaOf(either.meta({ title: 'Consign order', description }), target);
}
