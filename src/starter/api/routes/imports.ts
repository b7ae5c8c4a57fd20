import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { decodeText } from '../../../orders/decode-text';
import { readOrderRows, type ImportFormat, type PlacedProblem } from '../../../orders/order-rows';
import { validateImport, type ImportSource } from '../../client/check-import';
import { InvalidImportError } from '../../client/errors';
import type { RowOutcome } from '../../client/import-orders';
import * as answers from '../answer-schemas';
import { ApiError, type FieldProblem } from '../api-error';
import { AtMost } from '../at-most';
import { callerOf } from '../authorize';
import type { ApiContext, ApiServer } from '../context';
import { operation } from '../openapi';
import { accountsOf } from '../order-of-request';
import { problemOf } from '../problem-details';
import { importBody, importQuery } from '../request-schemas';
import { withoutPeople } from '../without-people';

const FORMATS: ReadonlyMap<string, ImportFormat> = new Map([
  ['text/csv', 'csv'],
  ['application/x-ndjson', 'jsonl'],
]);
/** Several thousand orders. All of them are in memory until the last one has started. */
const LARGEST_IN_BYTES = 8 * 1024 * 1024;
/** Imports of all callers together. */
const AT_ONCE = 2;

/** Check and start the orders of a file. */
export function addImportRoutes(api: ApiServer, context: ApiContext): void {
  const { accounts, files, maxImageBytes, shipments, log, counts } = context;
  const answer = {
    ...({ tag: 'imports', mediaType: 'application/x-ndjson' } as const),
    answers: { 200: answers.importLine },
  };
  const sent = { consumes: [...FORMATS.keys()], body: importBody };
  const imports = new AtMost(AT_ONCE, 'imports are under way');
  const stream = async (
    reply: FastifyReply,
    first: IteratorResult<RowOutcome, void>,
    rest: AsyncIterable<RowOutcome>,
  ): Promise<FastifyReply> => {
    const onRow = (row: RowOutcome): void => counts.countImported(row);
    const onFailure = (error: unknown): void => log.error({ err: error }, 'an import failed');
    return await reply
      .type(answer.mediaType)
      .send(Readable.from(jsonLines(first, rest, { onRow, onFailure })));
  };
  readTables(api);

  api.post(
    '/imports/validate',
    {
      bodyLimit: LARGEST_IN_BYTES,
      config: { scopes: ['start'] },
      schema: {
        ...operation({
          id: 'validateImport',
          summary: 'Check the orders of a file; starts nothing',
          description:
            'Answers a JSON object in each line: one of the orders, with its problems. Images are not read.',
          ...answer,
        }),
        ...sent,
      },
    },
    async (request, reply) => {
      imports.enter(reply);
      const { text, format } = request.body;
      const rows = validateImport({ text }, accountsOf(accounts, callerOf(request)), { format });
      return await stream(reply, await firstOf(rows), rows);
    },
  );

  api.post(
    '/imports',
    {
      bodyLimit: LARGEST_IN_BYTES,
      config: { scopes: ['start'] },
      schema: {
        ...operation({
          id: 'importOrders',
          summary: 'Start the orders of a file',
          description:
            'Checks all orders before it starts the first one. Answers a JSON object in each line, one for each order. The last line has the kind `problem` when the import stopped: send the same file again, and it starts what is missing.',
          ...answer,
        }),
        ...sent,
        querystring: importQuery,
      },
    },
    async (request, reply) => {
      imports.enter(reply);
      const { text, format } = request.body;
      const mayLeaveOut = request.query.skipInvalid === 'true';
      const outcomes = shipments.importOrders(
        { text },
        {
          ...{ accounts: accountsOf(accounts, callerOf(request)), files, maxImageBytes, format },
          imagesFrom: 'https',
          // Nothing is written: the answer names the invalid rows, and the caller has the file.
          rejectTo: mayLeaveOut ? async () => await Promise.resolve() : undefined,
        },
      );
      const rows = withoutPeopleInRows(outcomes, request.body);
      const first = await firstOf(rows);
      if (!mayLeaveOut && first.done !== true && first.value.kind === 'invalid')
        throw await nothingStarted(first.value, rows);
      return await stream(reply, first, rows);
    },
  );
}

/** A body with many orders. */
type Table = ImportSource & { readonly text: string; readonly format: ImportFormat };

function readTables(api: ApiServer): void {
  api.removeAllContentTypeParsers();
  for (const [type, format] of FORMATS)
    api.addContentTypeParser(type, { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => {
      const decoded = decodeText(body);
      if (decoded.ok) return await Promise.resolve({ text: decoded.text, format } satisfies Table);
      const { problem, remedy } = decoded;
      throw new ApiError('invalidRequest', 'The body cannot be read.', [{ path: '$', problem, remedy }]);
    });
}

/** The first row; with it the whole file is checked. @throws ApiError when it cannot be read as rows */
async function firstOf<R>(rows: AsyncIterator<R, void>): Promise<IteratorResult<R, void>> {
  try {
    return await rows.next();
  } catch (error) {
    if (!(error instanceof InvalidImportError)) throw error;
    throw invalidFile('The file cannot be read.', error.problems);
  }
}

async function nothingStarted(first: RowOutcome, rest: AsyncIterable<RowOutcome>): Promise<ApiError> {
  const outcomes = [first];
  for await (const outcome of rest) outcomes.push(outcome);
  const invalid = outcomes.flatMap((outcome) => (outcome.kind === 'invalid' ? [outcome] : []));
  return invalidFile(
    `${invalid.length} of ${outcomes.length} orders are invalid.`,
    invalid.flatMap(({ problems }) => problems),
  );
}

const invalidFile = (what: string, problems: readonly PlacedProblem[]): ApiError =>
  new ApiError('invalidOrder', `${what} Nothing was started.`, problems.map(fieldProblem));

function fieldProblem({ line, column, name, problem, remedy }: PlacedProblem): FieldProblem {
  const place = column === null ? `line ${line}` : `line ${line}, column ${column}`;
  return { path: name === '' ? place : `${place}: ${name}`, problem, remedy };
}

/** The rows without the words of their contacts and addresses: programs on the way log answers. */
async function* withoutPeopleInRows(
  rows: AsyncIterable<RowOutcome>,
  { text, format }: Table,
): AsyncGenerator<RowOutcome, void, void> {
  let documents: ReadonlyMap<number, unknown> | null = null;
  for await (const row of rows) {
    if (row.kind !== 'invalid') {
      yield row;
      continue;
    }
    documents ??= documentsIn(text, format);
    yield { ...row, problems: withoutPeople(documents.get(row.line), row.problems) };
  }
}

function documentsIn(text: string, format: ImportFormat): ReadonlyMap<number, unknown> {
  const table = readOrderRows(text, { format });
  return new Map('rows' in table ? table.rows.map(({ line, document }) => [line, document]) : []);
}

/** A failure is the last line, because the status was sent before. */
async function* jsonLines(
  first: IteratorResult<RowOutcome, void>,
  rest: AsyncIterable<RowOutcome>,
  {
    onRow,
    onFailure,
  }: {
    readonly onRow: (row: RowOutcome) => void;
    readonly onFailure: (error: unknown) => void;
  },
): AsyncGenerator<string, void, void> {
  if (first.done === true) return;
  onRow(first.value);
  yield line(first.value);
  try {
    for await (const row of rest) {
      onRow(row);
      yield line(row);
    }
  } catch (error) {
    const problem = problemOf(error);
    if (problem.status === 500) onFailure(error);
    yield line({ kind: 'problem', ...problem });
  }
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
