/** Thrown to leave the current phase. The phase loop continues from the state, which already says where. */
export abstract class LeavePhase extends Error {}

/** The order was withdrawn; the phase loop deletes what exists. */
export class Withdrawn extends LeavePhase {
  override readonly name = 'Withdrawn';
}

/** The order was revised and starts again. */
export class Revised extends LeavePhase {
  override readonly name = 'Revised';
}

/** The planned step is obsolete, because the state is in another phase. */
export class PhaseChanged extends LeavePhase {
  override readonly name = 'PhaseChanged';
}

/** The history is long and nothing is under way: the phase loop continues as new and repeats the step. */
export class HistoryTooLong extends LeavePhase {
  override readonly name = 'HistoryTooLong';
}
