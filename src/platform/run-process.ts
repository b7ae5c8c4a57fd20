import { ExitCode } from './exit-code';
import { UserError } from './user-error';

/** Runs a process's main function. What a person can mend is one readable message; anything else is a bug and keeps its stack. */
export function runMain(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    const isUsers = error instanceof UserError;
    console.error(isUsers ? error.explain() : error);
    process.exitCode = isUsers ? error.exitCode : ExitCode.Failed;
  });
}
