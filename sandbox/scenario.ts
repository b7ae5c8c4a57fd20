import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { clockSchema } from './model/clock';
import { troubleSchema } from './troubles/trouble';
import { switchChangesSchema } from './model/switches';
import { webhookSchema } from './webhooks/deliveries';

const scenarioSchema = z.strictObject({
  seed: z.union([z.string(), z.number()]).optional(),
  clock: clockSchema.optional(),
  switches: switchChangesSchema.optional(),
  troubles: z.array(troubleSchema).optional(),
  webhooks: z.array(webhookSchema).optional(),
  apiKeys: z.array(z.string()).optional(),
});
export type Scenario = z.infer<typeof scenarioSchema>;

/** Thrown when a scenario file cannot be read or says something that the sandbox does not know. */
export class ScenarioError extends Error {
  constructor(path: string, reason: string) {
    super(`scenario ${path}: ${reason}`);
    this.name = 'ScenarioError';
  }
}

/** JSON or YAML; JSON is YAML too. */
export function readScenario(path: string): Scenario {
  let content: unknown;
  try {
    content = parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ScenarioError(path, error instanceof Error ? error.message : String(error));
  }
  const result = scenarioSchema.safeParse(content ?? {});
  if (!result.success) throw new ScenarioError(path, z.prettifyError(result.error));
  return result.data;
}
