import type { ErrorKind } from './error-kind';

/** Exit codes of `consign`, printed by its help. */
export const ExitCode = {
  Ok: 0,
  /** The shipment failed, was withdrawn or was cancelled, or an unexpected error occurred. */
  Failed: 1,
  /** Invalid usage, settings or order documents; nothing was started, except by `import --skip-invalid`. */
  Invalid: 2,
  /** The order id belongs to another document, or its last run was withdrawn or may have left a booking. */
  Conflict: 3,
  NotFound: 4,
  /** Temporal does not answer, or did not confirm in time. */
  Unreachable: 5,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** The exit code of a command or process that ends with an error of this kind. */
export const EXIT_CODES: Readonly<Record<ErrorKind, ExitCode>> = {
  invalidInput: ExitCode.Invalid,
  invalidSettings: ExitCode.Invalid,
  invalidAccounts: ExitCode.Invalid,
  invalidOrder: ExitCode.Invalid,
  conflict: ExitCode.Conflict,
  keyReused: ExitCode.Invalid,
  notFound: ExitCode.NotFound,
  ended: ExitCode.Invalid,
  noQuestion: ExitCode.Invalid,
  staleQuestion: ExitCode.Invalid,
  refused: ExitCode.Invalid,
  nothingToAcknowledge: ExitCode.Invalid,
  severalListings: ExitCode.Invalid,
  failed: ExitCode.Failed,
  noAnswer: ExitCode.Failed,
  noWorker: ExitCode.Unreachable,
  notConfirmed: ExitCode.Unreachable,
  temporalUnreachable: ExitCode.Unreachable,
  temporalRefused: ExitCode.Invalid,
  fileStore: ExitCode.Failed,
  processFailed: ExitCode.Failed,
};

export const EXIT_CODE_HELP = `
Exit codes:
  0  done
  1  the shipment failed, was withdrawn or was cancelled, or an unexpected error occurred
  2  invalid usage, settings or order documents; nothing was started, except by import --skip-invalid
  3  the order id belongs to another document, or its last run was withdrawn or may have left a booking
  4  no such shipment
  5  Temporal cannot be reached, or did not confirm in time; it is safe to run the command again
`;
