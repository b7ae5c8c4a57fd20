/** Thrown to leave the phase at hand. The driver goes on from the state, which has moved to where it belongs. */
export abstract class LeavePhase extends Error {}

/** The order was withdrawn; the driver retires what exists. */
export class Withdrawn extends LeavePhase {
  override readonly name = 'Withdrawn';
}

/** The order was revised, and begins anew. */
export class Revised extends LeavePhase {
  override readonly name = 'Revised';
}

/** What was about to be done is not wanted any more: the state is in another phase. */
export class PhaseChanged extends LeavePhase {
  override readonly name = 'PhaseChanged';
}

/** The history has grown long while nothing is under way: the driver continues as new, and takes the step again. */
export class HistoryTooLong extends LeavePhase {
  override readonly name = 'HistoryTooLong';
}
