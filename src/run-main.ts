/**
 * Runs a process's main function. An expected error (one of ours, told by its name) is one readable message; any
 * other is a bug and keeps its stack.
 */
export function runMain(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    const isExpected = error instanceof Error && EXPECTED.has(error.name);
    console.error(isExpected ? error.message : error);
    process.exitCode = isExpected ? 2 : 1;
  });
}

const EXPECTED = new Set([
  ...[
    'ConfigError',
    'AccountsError',
    'QueueLimitError',
    'TemporalUnreachableError',
    'TemporalNotFoundError',
    'TemporalSettingsError',
  ],
  ...['DevServerError', 'NamespaceError', 'ProcessStartError', 'PartFailedError'],
]);
