import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { runTemporalCli } from '../support/temporal-cli';

const ROOT = path.join(__dirname, '..', '..');
const DOCUMENTS = [
  ...['README.md', 'CONTRIBUTING.md'],
  ...readdirSync(path.join(ROOT, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join('docs', file)),
];

/** Commands in blocks, with the lines that continue them, and in code spans. */
function commandsIn(text: string): string[] {
  const joined = text.replaceAll(/\\\n\s*/g, ' ');
  const inBlocks = [...joined.matchAll(/^ *```[a-z]*\n([^]*?)^ *```/gm)].flatMap(([, code = '']) =>
    code.split('\n').map((line) => line.trim()),
  );
  const inProse = [...joined.replaceAll(/^ *```[^]*?^ *```/gm, '').matchAll(/`(temporal\s[^`]+)`/g)];
  return [...inBlocks, ...inProse.map(([, line = '']) => line.replaceAll(/\s+/g, ' '))].filter((line) =>
    /^temporal [a-z]/.test(line),
  );
}

const WORDS = /"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g;
const wordsOf = (line: string): string[] =>
  [...line.matchAll(WORDS)].map((match) => match[1] ?? match[2] ?? match[3] ?? '').slice(1);

const COMMANDS = [
  ...new Set(DOCUMENTS.flatMap((file) => commandsIn(readFileSync(path.join(ROOT, file), 'utf8')))),
];

test('the documents name commands of Temporal, also those over several lines', () => {
  expect(COMMANDS.length).toBeGreaterThan(8);
  expect(COMMANDS).toContainEqual(expect.stringMatching(/^temporal workflow reset .* --query "WorkflowType/));
});

// It reads the options before it prints its help, and stops at one that it does not have.
test.each(COMMANDS)('Temporal has the command and the options of `%s`', async (line) => {
  const help = await runTemporalCli(...wordsOf(line), '--help');
  const [first = '', second = ''] = wordsOf(line);
  expect(help).toContain(`temporal ${first} ${second}`);
});

test.each(['temporal workflow reset --kind LastWorkflowTask', 'temporal workflow delete --all'])(
  'this test sees that Temporal does not have `%s`',
  async (line) => {
    await expect(runTemporalCli(...wordsOf(line), '--help')).rejects.toThrow('unknown flag');
  },
);
