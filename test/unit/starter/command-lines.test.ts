import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { CommanderError, type Command } from 'commander';
import { answerLines, commandLines } from '../../../src/domain/command-lines';
import type { AnswerKind } from '../../../src/domain/question';
import { initialState, type ShipmentState } from '../../../src/domain/shipment-state';
import { isOrderId } from '../../../src/domain/workflow-id';
import type { CliContext } from '../../../src/starter/cli/context';
import { readOrderName } from '../../../src/starter/cli/order-argument';
import { createProgram } from '../../../src/starter/cli/program';
import { renderShipment } from '../../../src/starter/cli/show';
import { waitingMemo } from '../../../src/workflows/run/presentation';
import { aFurnitureShipment, waitOf } from '../../support/builders';

const ROOT = path.join(__dirname, '..', '..', '..');
const CONTEXT = {} as CliContext;
const ORDER = { account: 'acme', orderId: 'SO-1' };

const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);

/** An order id alone will do, as the documents have one account. */
const namesOrder = (text: string): boolean => readOrderName(text) !== null || isOrderId(text);

/** The real command line; only what a command does is left out. */
function inertProgram(): Command {
  const program = createProgram(CONTEXT);
  const silence = (command: Command): void => {
    command.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
    command.commands.forEach(silence);
  };
  silence(program);
  for (const leaf of leavesOf(program)) {
    leaf.action(() => {
      const [first] = leaf.args;
      if (leaf.registeredArguments[0]?.name() === 'order' && !namesOrder(first ?? ''))
        throw new Error(`${first} names no order`);
    });
  }
  return program;
}

const WORDS = /"([^"]*)"|'([^']*)'|(\S+)/g;
const SAMPLES: Readonly<Record<string, string>> = {
  ...{ ORDER: 'acme/SO-1', ANSWER: 'approve', AMOUNT: '48.50', N: '5', SECONDS: '30', LISTING: '683137438' },
};

/** @returns why the command line does not take it; null when it does */
async function refusal(line: string): Promise<string | null> {
  const words = [...line.matchAll(WORDS)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  const args = words.slice(1).map((word) => SAMPLES[word] ?? word);
  try {
    await inertProgram().parseAsync(args, { from: 'user' });
    return null;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return null;
    return error instanceof Error ? error.message : String(error);
  }
}

const SAMPLE_LINES: { readonly [K in keyof typeof commandLines]: readonly string[] } = {
  acknowledge: [commandLines.acknowledge(ORDER), commandLines.acknowledge(ORDER, '683137438')],
  answer: [commandLines.answer(ORDER, { answer: 'rebook', isChecked: true })],
  attention: [commandLines.attention()],
  cancel: [commandLines.cancel(ORDER), commandLines.cancel('ORDER')],
  events: [commandLines.events()],
  explain: [commandLines.explain(), commandLines.explain('policy.rates.quiet')],
  fix: [commandLines.fix('orders/a.json'), commandLines.fix("Pat's orders/a b.json"), commandLines.fix('-')],
  help: [commandLines.help()],
  list: [commandLines.list()],
  quote: [commandLines.quote()],
  retryAccount: [commandLines.retryAccount('acme')],
  retryNotifications: [commandLines.retryNotifications('acme', 'erp')],
  revise: [commandLines.revise()],
  setup: [commandLines.setup()],
  show: [commandLines.show(ORDER)],
  start: [commandLines.start(), commandLines.start('examples/furniture-sofa.json')],
  startAgain: [commandLines.startAgain()],
  watch: [commandLines.watch(ORDER)],
};

test.each(Object.entries(SAMPLE_LINES))(
  'the command line that texts name for %s works as written',
  async (_, lines) => {
    for (const line of lines) expect([line, await refusal(line)]).toEqual([line, null]);
  },
);

/** Each with what the command line needs of it. */
const ANSWERS: { readonly [K in AnswerKind]: string } = {
  ...{ approve: '', retry: '', postpone: '', rebook: '', close: '', revise: ' --document FILE', cancel: '' },
  ...{ selectRate: ' --rate ID', adopt: ' --listing ID', premium: ' --premium 48.50' },
  ...{ resend: ' --question q1-inDoubt', abandon: ' --question q1-inDoubt' },
};
const KINDS = Object.keys(ANSWERS) as AnswerKind[];

test.each(KINDS)(
  'the answer %s works as a question names it, and with its own command line',
  async (answer) => {
    const [line = ''] = answerLines(ORDER, { id: 'q1-inDoubt', answers: [answer] });
    expect([line, await refusal(line)]).toEqual([line, null]);
    const named = `consign answer acme/SO-1 ${answer}${ANSWERS[answer]} --by Pat --reason seen`;
    expect([named, await refusal(named)]).toEqual([named, null]);
  },
);

test.each([
  ['consign answer acme/SO-1 cancel', "required option '--by <name>'"],
  ['consign answer acme/SO-1 revise --by Pat --reason seen', 'revise needs --document'],
  ['consign answer acme/SO-1 adopt --by Pat --reason seen', 'adopt needs --listing'],
  ['consign answer acme/SO-1 maybe --by Pat --reason seen', 'Allowed choices'],
  ['consign documents acme/SO-1 --retry', '--retry requires --by and --reason'],
  ['consign start FILE --checked all', 'Give --checked and --by together'],
  ['consign show', "missing required argument 'order'"],
  ['consign show SO-1/', 'names no order'],
  ['consign shwo acme/SO-1', 'unknown command'],
])('this test sees that `%s` does not work', async (line, why) => {
  expect(await refusal(line)).toContain(why);
});

/** Commands in a text for people, quoted in backticks. */
const quotedIn = (text: string): string[] =>
  [...text.matchAll(/`(consign\s+[-a-z][^`]*)`/g)].map(([, line = '']) => line.replaceAll(/\s+/g, ' '));

function asking(text: string): ShipmentState {
  const state = initialState(aFurnitureShipment());
  return {
    ...state,
    question: {
      ...{ id: 'q1-inDoubt', kind: 'inDoubt', text, since: '2035-03-06T08:00:00Z', answers: KINDS },
      ...{ listingIds: [], offer: null, supportAddress: null },
    },
  };
}

test.each(['It is unknown whether it exists.', 'x'.repeat(4_000), `"quoted" ${'\u00e9'.repeat(3_000)}`])(
  'a question shows every command that answers it, however long it is',
  async (text) => {
    const state = asking(text);
    const waitingFor = waitingMemo(waitOf(state));
    const lines = quotedIn(waitingFor);
    expect(lines).toHaveLength(KINDS.length);
    expect(quotedIn(waitOf(state)?.mayDo ?? '')).toEqual(lines);
    for (const line of lines) expect([line, await refusal(line)]).toEqual([line, null]);
    const view = { workflowId: 'shipment/acme/SO-1', runId: 'r', status: 'RUNNING', waitingFor };
    const shown = renderShipment({ ...view, state, failure: null, withdrawal: null }).split('\n');
    for (const line of lines) expect(shown).toContain(`  ${line}`);
  },
);

const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => path.join(folder, file));
const textOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

test('no other place of the program writes a command line', () => {
  const withoutComments = (code: string): string =>
    code.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '');
  const files = ['src', 'sandbox', 'devstack', 'chaos'].flatMap((folder) => filesIn(folder, '.ts'));
  const found = files.flatMap((file) =>
    [...withoutComments(textOf(file)).matchAll(/(?<![\w/.-])consign [a-z-]+.*/g)].map(
      ([text]) => `${file}: ${text}`,
    ),
  );
  expect(found.length).toBeGreaterThan(10);
  expect(found.filter((line) => !line.startsWith('src/domain/command-lines.ts'))).toEqual([]);
});

test('a program that a text names is one of the package, and works in a checkout and where it is installed', () => {
  const { bin } = JSON.parse(textOf('package.json')) as { readonly bin: Readonly<Record<string, string>> };
  const texts = filesIn('src', '.ts').map(textOf).join('\n');
  const named = [...texts.matchAll(/`npx ([\w-]+)/g)].map(([, name = '']) => name);
  expect(new Set(named)).toEqual(new Set(['consign-worker', 'consign-webhooks']));
  expect(named.filter((name) => bin[name] === undefined)).toEqual([]);
  // Scripts of npm are in a checkout only.
  expect(texts).not.toMatch(/`npm run (?:worker|webhooks|sandbox|replay)/);
});

test('every command in the help works as written, and each command can print JSON', async () => {
  const program = createProgram(CONTEXT);
  const all = [program, ...program.commands, ...leavesOf(program)];
  const lines = all.flatMap((command) => quotedIn(command.helpInformation().replaceAll(/\s+/g, ' ')));
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) expect([line, await refusal(line)]).toEqual([line, null]);
  const mute = leavesOf(program).filter(({ options }) => !options.some(({ long }) => long === '--json'));
  // It speaks a protocol of its own.
  expect(mute.map((command) => command.name())).toEqual(['mcp']);
});

/** Code spans, and lines of code blocks; a span may be broken over two lines. */
function commandsOfDocument(text: string): string[] {
  const blocks = [...text.matchAll(/^ *```[a-z]*\n([^]*?)^ *```/gm)].flatMap(([, code = '']) =>
    code.split('\n'),
  );
  const inBlocks = blocks.flatMap((line) => /^\s*(?:npx )?(consign [^#]+)/.exec(line)?.[1] ?? []);
  const prose = text.replaceAll(/^ *```[^]*?^ *```/gm, '').replaceAll(/^\s*#\s?/gm, '');
  // A shell takes the redirection for itself.
  return [...inBlocks, ...quotedIn(prose)].map((line) => line.replace(/ > \S+\s*$/, '').trim());
}

/** What stands in brackets may be given or left out. */
function variants(line: string): string[] {
  const plain = line.replaceAll('…', '');
  let bare = plain;
  while (/\[[^[\]]*\]/.test(bare)) bare = bare.replaceAll(/\[[^[\]]*\]/g, '');
  return [...new Set([plain.replaceAll(/[[\]]/g, ''), bare])];
}

/** A command that is only called by its name, as in "`consign revise` answers the question". */
function isNameOnly(line: string): boolean {
  let command: Command | undefined = createProgram(CONTEXT);
  for (const word of line.split(' ').slice(1))
    command = command?.commands.find((inner) => inner.name() === word);
  return command !== undefined;
}

const DOCUMENTS = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docker-compose.yml', 'Dockerfile'],
  ...filesIn('docs', '.md'),
  ...filesIn('examples', '.yaml'),
];

test('every command of the documents works as written, or is called by its name', async () => {
  const found = DOCUMENTS.flatMap((file) => commandsOfDocument(textOf(file)).map((line) => ({ file, line })));
  expect(found.length).toBeGreaterThan(60);
  const wrong: string[] = [];
  for (const { file, line } of found) {
    if (isNameOnly(line)) continue;
    for (const variant of variants(line)) {
      const why = await refusal(variant);
      if (why !== null) wrong.push(`${file}: ${line}: ${why}`);
    }
  }
  expect(wrong).toEqual([]);
});

test.each([
  'acme/SO-1',
  'shipment/acme/SO-1',
  'shipment%2Facme%2FSO-1',
  ' shipment/acme/SO-1 ',
  'http://127.0.0.1:8233/namespaces/default/workflows/shipment%2Facme%2FSO-1/0197f-run/history',
  'https://cloud.temporal.io/namespaces/prod.a1b2c/workflows/shipment%2Facme%2FSO-1',
  'http://localhost:8233/namespaces/default/workflows/shipment/acme/SO-1/0197f-run/history?sort=asc#1',
  'HTTP://proxy.example/temporal/namespaces/default/workflows/lateEvent%2Facme%2FSO-1%2F683137438/0197f/timeline',
  'lateEvent/acme/SO-1/683137438',
])('%s names the order acme/SO-1', (text) => {
  expect(readOrderName(text)).toEqual(ORDER);
});

test.each([
  ...[
    'SO-1',
    'acme/SO 1',
    'acme/SO-1/2',
    'Acme/SO-1',
    '%',
    'quote/acme/SO-1',
    'https://example.com/acme/SO-1',
  ],
  'http://127.0.0.1:8233/namespaces/default/workflows/account%2Facme/0197f/history',
])('%s names no order', (text) => {
  expect(readOrderName(text)).toBeNull();
});

test('the help lists the commands in groups, and the version is that of the package', async () => {
  const help = createProgram(CONTEXT).helpInformation();
  const headings = [...help.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual([
    ...['Options', 'Place orders', 'Follow orders', 'Decide', 'Set up and check', 'Commands'],
  ]);
  const said: string[] = [];
  const program = createProgram(CONTEXT).configureOutput({ writeOut: (text) => said.push(text) });
  await expect(program.parseAsync(['--version'], { from: 'user' })).rejects.toMatchObject({ exitCode: 0 });
  const { version } = JSON.parse(textOf('package.json')) as { version: string };
  expect(said).toEqual([`${version}\n`]);
});
