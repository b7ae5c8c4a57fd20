import { Command } from 'commander';
import type { CliContext } from '../context';
import { ExitCode } from '../exit-code';
import { readOrderFile } from '../order-files';
import { renderProblems } from '../problems';

export function validateCommand(context: CliContext): Command {
  return new Command('validate')
    .description('check orders without starting them: every problem at once, with its remedy')
    .argument('<files...>', 'order documents, JSON or YAML; - is standard input')
    .option('--json', 'print one JSON object for each order')
    .action(async (files: string[], { json }: { json?: boolean }) => {
      const accounts = context.accounts();
      for (const file of files) {
        const read = await readOrderFile(file, accounts);
        if (!read.ok) process.exitCode = ExitCode.Invalid;
        if (json === true) {
          const problems = read.ok ? [] : read.problems;
          context.print(JSON.stringify({ file, ok: read.ok, problems, warnings: read.warnings }));
        } else context.print(renderProblems(read));
      }
    });
}
