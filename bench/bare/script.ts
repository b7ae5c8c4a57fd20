/** The commands of a recorded workflow, in a form that another workflow can execute. Plain JSON. */
export interface Script {
  /** Arguments of the workflow. */
  readonly input: readonly unknown[];
  readonly steps: readonly ScriptStep[];
  /** In their order. Signals between which no activity ended came together. */
  readonly signals: readonly (readonly ScriptSignal[])[];
  /** The activity that had ended before the first signal came; null where none had. */
  readonly signalsAfter: string | null;
  /** By their ids. */
  readonly activities: Readonly<Record<string, ScriptActivity>>;
}

export interface ScriptSignal {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** The commands of one workflow task, and what the task waits for. */
export interface ScriptStep {
  /** Signals received by then. */
  readonly signals: number;
  /** Ids of the activities and timers that ended since the previous step. */
  readonly ended: readonly string[];
  readonly commands: readonly ScriptCommand[];
}

export type ScriptCommand =
  | { readonly kind: 'activity'; readonly id: string }
  | { readonly kind: 'timer'; readonly id: string; readonly ms: number }
  /** Of an activity or a timer. */
  | { readonly kind: 'cancel'; readonly id: string }
  | { readonly kind: 'searchAttributes'; readonly attributes: readonly ScriptAttribute[] }
  | { readonly kind: 'memo'; readonly memo: Readonly<Record<string, unknown>> }
  | { readonly kind: 'complete'; readonly result: unknown };

export interface ScriptAttribute {
  readonly name: string;
  readonly type: 'KEYWORD' | 'KEYWORD_LIST' | 'BOOL' | 'DATETIME';
  /** Null removes it. */
  readonly value: string | boolean | readonly string[] | null;
}

export interface ScriptActivity {
  readonly type: string;
  readonly taskQueue: string;
  readonly input: readonly unknown[];
  readonly result: unknown;
  /** 0: it was waiting for its next attempt when it was cancelled, or when the history was read. */
  readonly attempts: number;
  readonly startToCloseMs: number;
  readonly heartbeatMs: number;
}

/** Timers and activities have separate sequences of ids. */
export const timerKey = (timerId: string): string => `timer-${timerId}`;

/** Both kinds of workers use the same server, with separate queues. */
export const bareQueue = (taskQueue: string): string => `bare/${taskQueue}`;
