/** Why a request, or one event of it, is refused. Each kind is counted apart. */
export const NO_REFUSALS = {
  ...{ unauthorized: 0, unknownIntegration: 0, unknownPath: 0, unreadableUrl: 0 },
  ...{ tooLarge: 0, tooSlow: 0, brokenOff: 0, unreadableRequest: 0 },
  ...{ noMediaType: 0, unknownCoding: 0, unreadableCoding: 0, noJson: 0, noEvent: 0 },
};
export type RefusalKind = keyof typeof NO_REFUSALS;

/** The sender and the log get the reason, so it contains no URL, no secret and no content. */
export interface Refusal {
  readonly kind: 'refused';
  readonly as: RefusalKind;
  readonly reason: string;
}

export const refusal = (as: RefusalKind, reason: string): Refusal => ({ kind: 'refused', as, reason });

/** HTTP statuses; every other kind is 400. */
export const REFUSAL_STATUS: Partial<Record<RefusalKind, number>> = {
  unauthorized: 401,
  unknownIntegration: 404,
  unknownPath: 404,
  tooSlow: 408,
  tooLarge: 413,
  noMediaType: 415,
  unknownCoding: 415,
};
