import { Command } from 'commander';
import { commandLines } from '../../../domain/command-lines';
import type { ExplainOptions } from '../commands/explain';
import type { CliContext } from '../context';

const HELP = `
A path joins the names of fields with dots, without names of accounts and positions in lists:
\`${commandLines.explain('policy.rates.quiet')}\`, \`${commandLines.explain('furniture.items')}\`, \`${commandLines.explain('accounts')}\`.
`;

/** `consign explain`. */
export function explainCommand(context: CliContext): Command {
  return new Command('explain')
    .description('explain the fields of orders, policies and the accounts file')
    .argument('[path]', 'one field, or a group with its fields; default: list what can be explained')
    .option('--json', 'print the fields as JSON')
    .addHelpText('after', HELP)
    .action(async (path: string | undefined, options: ExplainOptions) => {
      const { explain } = await import('../commands/explain.ts');
      explain(context, path, options);
    });
}
