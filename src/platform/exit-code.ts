/** Exit codes of `consign`, printed by its help. */
export const ExitCode = {
  Ok: 0,
  /** The shipment failed, was withdrawn or was cancelled, or something broke. */
  Failed: 1,
  /** Wrong usage, settings or order documents; nothing was started. */
  Invalid: 2,
  /** The order id is in use by another document, a withdrawn order or an unclear run. */
  Conflict: 3,
  NotFound: 4,
  /** Temporal does not answer, or did not confirm in time. */
  Unreachable: 5,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

export const EXIT_CODE_HELP = `
Exit codes:
  0  done
  1  the shipment failed, was withdrawn or was cancelled, or something broke
  2  wrong usage, settings or order documents; nothing was started
  3  the order id is in use by another document, or its last run was withdrawn or ended unclearly
  4  no such shipment
  5  Temporal cannot be reached, or did not confirm in time (repeating is safe)
`;
