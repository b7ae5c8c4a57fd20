import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { loadAccounts } from '../../../src/accounts';
import { createFolderStore } from '../../../src/platform/file-store';
import { toQuestionAnswer, type AnswerFields } from '../../../src/starter/client/answer-question';
import { toAnswer } from '../../../src/starter/mcp/answer-fields';
import { createMcpServer } from '../../../src/starter/mcp/create-server';
import { temporaryFolder } from '../../support/temporary-folder';

const EXAMPLES = path.join(__dirname, '..', '..', '..', 'examples');
const accounts = loadAccounts(path.join(EXAMPLES, 'accounts.yaml'), {});
const SOFA = JSON.parse(readFileSync(path.join(EXAMPLES, 'furniture-sofa.json'), 'utf8')) as object;
const BY = { by: 'Pat', reason: 'the customer confirmed' };

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** What a tool answers. Nothing may reach Temporal. */
async function call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const server = createMcpServer({
    ...{ version: '1', accounts, files: createFolderStore(temporaryFolder()), maxImageBytes: 1_000 },
    mayDecide: true,
    withShipments: async <T>(): Promise<T> => await Promise.reject<T>(new TypeError('reached Temporal')),
  });
  const client = new Client({ name: 'test', version: '1' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  closers.push(async () => await client.close());
  await Promise.all([server.connect(far), client.connect(near)]);
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  const [first] = content;
  if (first?.type !== 'text') throw new TypeError('no text');
  return { isError, ...(JSON.parse(first.text) as object) };
}

const NOT_HTTPS = { problem: 'is not an https URL', remedy: "give the image's public https URL" };

test.each([
  ['/etc/passwd'],
  ['sofa.jpg'],
  ['http://127.0.0.1/sofa.jpg'],
  ['file:///etc/passwd'],
  ['data:image/png;base64,UE5H'],
])('an assistant cannot check, quote or start an order whose image is %s', async (image) => {
  const document = { ...SOFA, images: ['HTTPS://example.com/a.jpg', image] };
  const problems = [{ path: '$.images[1]', ...NOT_HTTPS }];
  expect(await call('validate_order', { document })).toMatchObject({ isError: false, ok: false, problems });
  expect(await call('quote_order', { document })).toMatchObject({
    isError: true,
    kind: 'invalidOrder',
    problems,
  });
  const started = await call('start_order', { document: { ...document, images: [image] }, ...BY });
  expect(started).toMatchObject({
    ...{ isError: true, kind: 'invalidOrder' },
    problems: [{ path: '$.images[0]', ...NOT_HTTPS }],
  });
});

test.each([
  [{ answer: 'approve' }, { kind: 'approve' }],
  [
    { answer: 'adopt', listingId: '7', checked: 'seen' },
    { kind: 'adopt', listingId: '7', checked: 'seen' },
  ],
  [
    { answer: 'selectRate', rateId: 'r' },
    { kind: 'selectRate', rateId: 'r' },
  ],
  [
    { answer: 'premium', premium: '48.50' },
    { kind: 'premium', premiumMinorUnits: 4_850 },
  ],
  [
    { answer: 'resend', questionId: 'q1-inDoubt' },
    { kind: 'resend', questionId: 'q1-inDoubt' },
  ],
  [
    { answer: 'retry', listingId: '7', questionId: 'q2' },
    { kind: 'retry', questionId: 'q2' },
  ],
] as const)('the fields %j of a tool become the answer %j', (given, answer) => {
  expect(toAnswer({ ...given, ...BY })).toEqual({ ...answer, ...BY });
});

test.each(['5 dollars', '', '1.005'])('a premium of %j is no answer', (premium) => {
  expect(() => toAnswer({ answer: 'premium', premium, ...BY })).toThrow('such as 48.50');
});

test.each<[AnswerFields['kind'], Partial<AnswerFields>, string]>([
  ['adopt', { rateId: 'r' }, 'The answer adopt needs listingId.'],
  ['selectRate', { listingId: '7' }, 'The answer selectRate needs rateId.'],
  ['resend', {}, 'The answer resend needs questionId.'],
  ['abandon', { listingId: '7' }, 'The answer abandon needs questionId.'],
  ['premium', {}, 'The answer premium needs an amount such as 48.50.'],
])('the answer %s with %j alone is refused', (kind, fields, says) => {
  expect(() => toQuestionAnswer({ kind, ...fields, ...BY })).toThrow(says);
});
