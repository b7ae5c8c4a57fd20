import { EXIT_CODES, ExitCode } from './exit-code';
import { UserError } from './user-error';

/** Runs a process's main function. A `UserError` is printed as one message; any other error is a bug and keeps its stack. */
export function runMain(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    const isUsers = error instanceof UserError;
    console.error(isUsers ? error.explain() : error);
    process.exitCode = isUsers ? EXIT_CODES[error.kind] : ExitCode.Failed;
  });
}
