import { hash } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { UserError } from '../../platform/user-error';
import { readRun, type ReadRun } from './list-runs';

/** Which part of a list. */
export interface PagePlace {
  /** The maximum number of entries. */
  readonly limit: number;
  /** The `next` of the part before; the first part without it. */
  readonly cursor?: string | undefined;
}

/** A part of a list of workflows. */
export interface VisibilityPage {
  readonly runs: readonly ReadRun[];
  /** Where the next part begins; null after the last one. */
  readonly next: string | null;
}

/** A part of what Temporal's visibility finds. Nothing is kept between two parts: the cursor is Temporal's own. */
export async function visibilityPage(
  client: Client,
  query: string,
  { limit, cursor }: PagePlace,
): Promise<VisibilityPage> {
  const { namespace } = client.options;
  const { executions, nextPageToken } = await client.workflowService.listWorkflowExecutions({
    ...{ namespace, query, pageSize: limit },
    nextPageToken: Buffer.from(cursor === undefined ? '' : tokenOf(cursor, query), 'base64url'),
  });
  const token = Buffer.from(nextPageToken).toString('base64url');
  return {
    runs: await Promise.all(executions.map(async (raw) => await readRun(client, raw, raw))),
    next: token === '' ? null : cursorOf(token, query),
  };
}

/** With a digest, because Temporal repeats a request with a token that it cannot read for many seconds. */
const cursorOf = (token: string, query: string): string =>
  `${token}.${hash('sha256', `${token} ${query}`).slice(0, 16)}`;

/** @throws UserError */
function tokenOf(cursor: string, query: string): string {
  const [token = ''] = cursor.split('.');
  if (cursorOf(token, query) === cursor) return token;
  throw new UserError('The cursor is not one of this list.', {
    hint: 'Send the `next` of the part before, with the same filter; begin again without a cursor.',
  });
}
