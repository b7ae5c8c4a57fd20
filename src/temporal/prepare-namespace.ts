import { UserError } from '../platform/user-error';
import { setTimeout as delay } from 'node:timers/promises';
import { isGrpcServiceError, type ConnectionLike } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';

export type SearchAttributeKind =
  'KEYWORD' | 'TEXT' | 'INT' | 'DOUBLE' | 'BOOL' | 'DATETIME' | 'KEYWORD_LIST';
export type SearchAttributeKinds = Readonly<Record<string, SearchAttributeKind>>;

/** The services of a connection that are needed here; a client's connection has them too. */
type NamespaceServices = Pick<ConnectionLike, 'operatorService' | 'workflowService'>;

export interface NamespaceNeeds {
  readonly searchAttributes: SearchAttributeKinds;
  /** How long closed workflows must be kept, as a minimum. */
  readonly retentionDays: number;
}

/** What a namespace lacks for Consign. */
export interface NamespaceReport {
  readonly missing: SearchAttributeKinds;
  /** Attributes with Consign's names but another type: only a person can change that. */
  readonly mistyped: readonly MistypedAttribute[];
  readonly retentionDays: number;
  readonly retentionTooShort: boolean;
}

export interface MistypedAttribute {
  readonly name: string;
  readonly wanted: SearchAttributeKind;
  readonly found: string;
}

const { IndexedValueType } = temporal.api.enums.v1;
const SECONDS_A_DAY = 86_400;
const USABLE_TIMEOUT_MS = 60_000;
const POLL_MS = 50;
const INVALID_ARGUMENT = 3;

/** Only reads: `doctor` must not change the cluster that it reports on. */
export async function inspectNamespace(
  connection: NamespaceServices,
  namespace: string,
  needs: NamespaceNeeds,
): Promise<NamespaceReport> {
  const [{ customAttributes }, { config }] = await Promise.all([
    connection.operatorService.listSearchAttributes({ namespace }),
    connection.workflowService.describeNamespace({ namespace }),
  ]);
  const missing: Record<string, SearchAttributeKind> = {};
  const mistyped: MistypedAttribute[] = [];
  for (const [name, wanted] of Object.entries(needs.searchAttributes)) {
    const found = customAttributes?.[name];
    if (found === undefined || found === null) missing[name] = wanted;
    else if (found !== typeOf(wanted)) mistyped.push({ name, wanted, found: nameOf(found) });
  }
  const retentionDays = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) / SECONDS_A_DAY;
  return { missing, mistyped, retentionDays, retentionTooShort: retentionDays < needs.retentionDays };
}

/**
 * Creates the missing search attributes and lengthens the retention; it never changes an attribute or shortens the
 * retention. It runs at every start, because the dev server's own flag is ignored for an existing file. Returns what the
 * namespace lacked before.
 */
export async function prepareNamespace(
  connection: NamespaceServices,
  namespace: string,
  needs: NamespaceNeeds,
): Promise<NamespaceReport> {
  const before = await inspectNamespace(connection, namespace, needs);
  // The server silently accepts a second creation with another type (seen), so Consign checks it.
  if (before.mistyped.length > 0) throw new UserError(describeMistyped(namespace, before.mistyped));
  const missing = Object.entries(before.missing).map(([name, kind]) => [name, typeOf(kind)] as const);
  if (missing.length > 0) {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing),
    });
    await untilUsable(connection, namespace, Object.keys(before.missing));
  }
  if (before.retentionTooShort) {
    await connection.workflowService.updateNamespace({
      namespace,
      config: {
        workflowExecutionRetentionTtl: msToTs(needs.retentionDays * SECONDS_A_DAY * 1000),
      },
    });
  }
  return before;
}

/** One line for each thing that a namespace lacks. */
export function describeLacks(namespace: string, report: NamespaceReport, needs: NamespaceNeeds): string[] {
  const lacks = Object.entries(report.missing).map(
    ([name, kind]) => `namespace ${namespace} has no search attribute ${name} (${kind})`,
  );
  if (report.mistyped.length > 0) lacks.push(describeMistyped(namespace, report.mistyped));
  if (report.retentionTooShort) {
    lacks.push(
      `namespace ${namespace} keeps closed workflows for ${report.retentionDays} days; Consign needs at least ${needs.retentionDays}`,
    );
  }
  return lacks;
}

/** A cluster's frontends learn about new attributes one by one, and a query with an unknown one fails. */
async function untilUsable(
  connection: NamespaceServices,
  namespace: string,
  names: readonly string[],
): Promise<void> {
  const query = names.map((name) => `${name} IS NULL`).join(' AND ');
  const deadline = Date.now() + USABLE_TIMEOUT_MS;
  for (;;) {
    try {
      await connection.workflowService.countWorkflowExecutions({ namespace, query });
      return;
    } catch (error) {
      if (!isGrpcServiceError(error)) throw error;
      const code: number = error.code;
      if (code !== INVALID_ARGUMENT) throw error;
      if (Date.now() > deadline) {
        throw new UserError(
          `The search attributes ${names.join(', ')} of namespace ${namespace} were created, but still cannot be used after ${USABLE_TIMEOUT_MS / 1000} s: ${error.details}`,
        );
      }
      await delay(POLL_MS);
    }
  }
}

function describeMistyped(namespace: string, mistyped: readonly MistypedAttribute[]): string {
  const each = mistyped.map(({ name, wanted, found }) => `${name} is ${found} and must be ${wanted}`);
  return `Search attributes of namespace ${namespace} have the wrong type: ${each.join('; ')}. Use another namespace, or remove them from this one.`;
}

function typeOf(kind: SearchAttributeKind): temporal.api.enums.v1.IndexedValueType {
  return IndexedValueType[`INDEXED_VALUE_TYPE_${kind}`];
}

function nameOf(type: number): string {
  return (IndexedValueType[type] ?? String(type)).replace('INDEXED_VALUE_TYPE_', '');
}
