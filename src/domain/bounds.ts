/**
 * The longest text for each place, in bytes of JSON, which Temporal stores and measures. A text that the server
 * refuses ends the workflow, or fails its task for ever. So each limit is well below the server's.
 */
export const TEXT_BYTES = {
  /** The server takes 2,048 bytes; a visibility store on SQL has columns of 255 characters. */
  searchAttribute: 200,
  /** Of an activity, a timer or a workflow; the server takes 400. */
  summary: 200,
  /** The server warns from 2 KiB on, and every list of workflows returns the memo. */
  memo: 2_000,
  /** One column of `consign list`. */
  wait: 100,
  /** The web UI's current details; the server takes 20,000. */
  details: 10_000,
  /** Of the failure that a workflow ends with. */
  failure: 2_000,
  /** A question names what to do, with a few listings and links. */
  question: 4_000,
  /** One line of the timeline. */
  line: 1_000,
  notice: 600,
  /** A value of the marketplace, kept unchanged. */
  value: 200,
  /** A cut link is useless, so a longer one is left out. */
  link: 1_000,
} as const;

/**
 * How much of each list is kept. A query returns the whole state as one payload, and so does continue-as-new. The
 * newest entries stay, unless a comment says otherwise; `LeftOut` counts the others.
 */
export const LIST_LIMITS = {
  /** For people; the end of the timeline matters more than its start. */
  timeline: { count: 300, bytes: 32_000 },
  notices: { count: 30, bytes: 8_000 },
  /** What the marketplace said; the newest matters most. */
  said: { count: 10 },
  /** An event that is repeated after this many others costs one more reading. */
  seenEventIds: { count: 500, bytes: 20_000 },
  seenDigests: { count: 500, bytes: 36_000 },
  /** Far more carriers than serve one route; the cheapest rates stay. */
  rates: { count: 60, bytes: 30_000 },
  /** Why each rate that was not taken lost, for people. */
  losses: { count: 60, bytes: 20_000 },
  /** Rates of requests that are over: a failed rate that is taken again fails again. */
  excludedRateIds: { count: 100, bytes: 8_000 },
  /** Events are hints: listings beyond this limit are read with the next events, or by the sweep. */
  inbox: { count: 20 },
  /** Listings that events named and that must be read; those that the order knows are never dropped. */
  unread: { count: 100 },
  attachments: { count: 100 },
  /** The same as the limit of notices. */
  toldStatuses: { count: 30 },
  /** The same as the limit of listings that the order may have left. */
  secondListings: { count: 100 },
  /** Those that an endpoint still waits for; beyond it, the oldest are dropped. */
  waitingNotifications: { count: 500, bytes: 700_000 },
  /** Delivered ones, which can be replayed. */
  deliveredNotifications: { count: 50, bytes: 150_000 },
  /** Lines of the delivery log. */
  deliveries: { count: 50 },
  /** Numbers by which people find an order: one search attribute, of which the server takes 2,048 bytes. */
  numbers: { count: 50, bytes: 1_900 },
} as const;

/** The number from which an order continues only with a person's help: forgetting one of these could book twice. */
export const BOOKING_TRACES = {
  beside: 20,
  left: 100,
  earlierAcceptances: 20,
  earlierLoads: 20,
} as const;

/** Length of a text in bytes of JSON, without quotes. */
export function jsonBytes(text: string): number {
  if (PLAIN.test(text)) return text.length;
  const json = JSON.stringify(text);
  let bytes = json.length - 2;
  for (let index = 1; index < json.length - 1; index += 1) bytes += bytesBeyondOne(json.charCodeAt(index));
  return bytes;
}

const PLAIN = /^[ !#-[\]-~]*$/;
const ELLIPSIS = '…';

/** How many bytes of UTF-8 a UTF-16 unit of JSON takes besides the first. */
function bytesBeyondOne(unit: number): number {
  if (unit < 0x80) return 0;
  // Two surrogates share four bytes; JSON escapes unpaired ones.
  const isSurrogate = unit >= 0xd8_00 && unit <= 0xdf_ff;
  return unit < 0x8_00 || isSurrogate ? 1 : 2;
}

/** Cuts a text to this many bytes of JSON, with an ellipsis; never inside a character. */
export function cutText(text: string, maxBytes: number): string {
  // JSON takes at most six bytes for each UTF-16 unit.
  if (text.length * 6 <= maxBytes || jsonBytes(text) <= maxBytes) return text;
  const room = maxBytes - jsonBytes(ELLIPSIS);
  let kept = '';
  let bytes = 0;
  for (const character of text) {
    bytes += jsonBytes(character);
    if (bytes > room) break;
    kept += character;
  }
  return `${kept}${ELLIPSIS}`;
}

/** A text that Temporal's web UI shows with an activity or a timer. */
export const summaryOf = (text: string): string => cutText(text, TEXT_BYTES.summary);

/** One line of printable characters, because some visibility stores refuse others. */
export function attributeOf(value: string): string {
  return cutText(value.replaceAll(/\p{Cc}/gu, ' '), TEXT_BYTES.searchAttribute);
}

export interface ListLimit {
  readonly count: number;
  readonly bytes: number;
}

/** Keeps the last entries that fit the limit, and counts the rest. `bytesOfEntry`: bytes of the entry's JSON. */
export function keepNewest<T>(
  list: readonly T[],
  { count, bytes }: ListLimit,
  bytesOfEntry: (entry: T) => number,
): { readonly kept: readonly T[]; readonly leftOut: number } {
  let room = bytes;
  let kept = 0;
  for (let index = list.length - 1; index >= 0 && kept < count; index -= 1) {
    const entry = list[index];
    // The comma takes one byte.
    if (entry !== undefined) room -= bytesOfEntry(entry) + 1;
    if (room < 0) break;
    kept += 1;
  }
  return kept === list.length
    ? { kept: list, leftOut: 0 }
    : { kept: list.slice(list.length - kept), leftOut: list.length - kept };
}

/** Keeps the first entries that fit the limit. */
export function keepFirst<T>(
  list: readonly T[],
  limit: ListLimit,
  bytesOfEntry: (entry: T) => number,
): { readonly kept: readonly T[]; readonly leftOut: number } {
  const { kept, leftOut } = keepNewest(list.toReversed(), limit, bytesOfEntry);
  return { kept: leftOut === 0 ? list : kept.toReversed(), leftOut };
}

/** How many entries of each list were left out for lack of room. */
export interface LeftOut {
  readonly timeline: number;
  readonly notices: number;
  readonly rates: number;
  readonly attachments: number;
  /** Listings that events named and that Consign did not read. */
  readonly listings: number;
}

export const NOTHING_LEFT_OUT: LeftOut = { timeline: 0, notices: 0, rates: 0, attachments: 0, listings: 0 };

export function leaveOut(leftOut: LeftOut, more: Partial<LeftOut>): LeftOut {
  const sum = (list: keyof LeftOut): number => leftOut[list] + (more[list] ?? 0);
  return {
    timeline: sum('timeline'),
    notices: sum('notices'),
    rates: sum('rates'),
    attachments: sum('attachments'),
    listings: sum('listings'),
  };
}

/** For people, one line for each list. */
export function leftOutLines(leftOut: LeftOut): string[] {
  const { attachments, listings, notices } = leftOut;
  const lines = [
    attachments > 0 &&
      `and ${counted(attachments, 'more attachment was', 'more attachments were')} not fetched`,
    listings > 0 &&
      `and ${counted(listings, 'more listing that an event named was', 'more listings that events named were')} not read`,
    notices > 0 && `and ${counted(notices, 'older notice', 'older notices')}`,
  ];
  return lines.filter((line) => line !== false);
}

/** The first few names, and how many more there are. */
export function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => cutText(name, 60));
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
