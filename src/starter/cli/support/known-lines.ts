import { LISTING_STATUSES, TRANSIT_STATUSES } from '../../../domain/listing';
import type { AnswerKind } from '../../../domain/question';
import type { StandIns } from './stand-ins';

/**
 * The lines of a shipment's timeline, and what it may wait for, as the workflows write them. `{…}` is a part whose
 * content is left out; the other braces name what is replaced, or shown when it is of a closed list.
 *
 * A test compares this list with the code of the workflows. A more special line stands before a more general one.
 */
const LINES = `
order checked
order checked; pays by {…}, {…}
fixed price {…} plus premium {…}, together {…} for the customer; list price {…}
fixed price {…} for the customer; list price {…}
a person stated the premium: {…}
asks: {…}
{…} answers {answer}: {…}
{…} withdraws the order: {…}
{…} asks for the missing documents again: {…}
the pickup is on {…} now
the order was revised and begins anew
the order was changed ({…}); listing {listing} stays as it is
listing {listing} was changed ({…}); fixed price {…} for the customer
listing {listing} was changed ({…})
changing listing {listing} {…}; it is tried again
a carrier booked listing {listing} before it was changed; it moves as ordered before
the marketplace knows no listing {listing}
somebody else keeps changing listing {listing}
listing {listing} created at the list price
listing {listing} of an earlier attempt is booked; it is followed now
listing {listing} is booked for this order; it is followed now
listing {listing} is followed now
listing {listing} is taken
listing {listing} is left: {status}
listing {listing} is {status}; nothing is booked
listing {listing} deleted; nothing is booked
listing {listing} cannot be read yet: {reason}
listing {listing} cannot be read: {reason}
listing {listing}, which an event named, could never be read
listing {listing} carries our reference too ({status}), but {…}
listing {listing} carries our reference too ({status})
listing {listing} was delivered for this order too
listing is {status}: the marketplace holds the shipment up
listing is {status}
deleting listing {listing} got no clear answer; it is repeated
settled: listing {listing} is this order's
books anew; listing {listing} is left
accepted; listing {listing}
rates requested
{…}; asks for rates again
of the rates {…}
rate {rate} was taken back
{…} chosen at {…} ({…}; {count} other rates)
{…} (rate {rate}, execution {…}) was not booked: {reason}
{…} (rate {rate}) was not booked: {reason}
acceptance sent to {…}
takes the next rate
is sent again
the earlier acceptance by {…} does not answer: {reason}
an earlier acceptance by {…} was accepted, as a late report shows
whether {…} books after all cannot be read: {reason}
{…} does not say whether it booked: {reason}
{…} has not answered in its time what was accepted before; have it taken back by the marketplace, or a truck may come
creating the listing is in doubt: {reason}
accepting the rate is in doubt: {reason}
{…} is in doubt: {reason}
creating the listing was not sent ({reason}); it is sent again
accepting the rate was not sent ({reason}); it is sent again
image {count} was not sent ({reason}); it is sent again
{…} was not sent ({reason}); it is sent again
image {count} uploaded
image {count} was not uploaded before the booking: {reason}
image {count} was not uploaded: {reason}
UNSAFE: {…} is sent again at once, without settling its doubt
the worker reported how {…} ended: {outcome}
the marketplace does not say: {reason}
an event could not be handled yet: {reason}
event {event} came again and says something else; only the listing is read again
event {event} names too much: {count} listings, {count} orders and {count} attachments of it are left out
{…} heard late that activity {…} had its effect
not fetched, because event {event} names them anew: {…}
reads what an earlier run of this order left: {…}
waits for account {account}: {reason}
{reason}; it is tried again, with the answer
not taken: {…}
it moves what the order said before it was revised: {…}
booked anew with {…}
booked anew
booked with {…}
booked
ready for dispatch
dispatched
picked up
delivered
price corrected from {…} to {…} after delivery; it can be disputed for 72 business hours
price corrected from {…} to {…}
the price of {…} is beyond the tolerance above the accepted {…}
nobody approved the price of {…}
no carrier has booked the listing, and the last pickup day is ending (late since {…})
the goods are not picked up, and the last pickup day is over (late since {…})
the goods are not delivered, and the last delivery day is over (late since {…})
nothing was heard of the truck since its last position or status (late since {…})
price settled; completed
the delivery is {…} now
last seen in {…}
PRO number {…}
bill of lading {…} is ready
bill of lading {…} is ready, after its time was over
the bill of lading did not become ready
contacts of the carrier are ready
contacts of the carrier are ready, after its time was over
contacts did not become ready
the tracking link is ready
the tracking link is ready, after its time was over
no tracking link: {reason}
no tracking: {reason}
no contacts: {reason}
given up: {reason}
attachment {attachment} was not fetched: {reason}
attachment {attachment} ({…}) stored
attachment {attachment} stored
the listing can be read again; the question is taken back
the listing lives again; the question is taken back
only one listing is left; the question is taken back
closed: the booking ended
abandoned; nothing exists
abandoned; nothing is booked
cancelled; nothing is booked
not closed: a carrier has booked it
not closed: the outcome of the write is known now
not withdrawn: a carrier is being booked
not withdrawn: {…}
not cancelled yet: {…}
address types were not looked up: {reason}
the marketplace lists no address type {…} for {…}; check how the stop is rated
the marketplace shows the unknown status {…}
the marketplace shows the unknown transit status {…}
the marketplace shows the unknown tracking status {…}
the marketplace shows the unknown {…}
a person: {…}
account {account}: {reason}
listing {listing} to be readable ({reason})
listing {listing} to be readable, which an event named
the check of the order, and its fixed price
the check of the order, and its rate request
the fixed price
the marketplace to take the listing
a carrier to book listing {listing} (a carrier asked to book it, and has up to a business day)
a carrier to book listing {listing}
rates of carriers
{…} to accept at {…}
the carrier to pick up
the delivery
corrections of the price
nothing
`;

/** One template a line. */
export const KNOWN_LINES: readonly string[] = LINES.trim().split('\n');

interface KnownLine {
  /** One more than there are holes. */
  readonly texts: readonly string[];
  readonly holes: readonly string[];
}

const HOLE = /\{([^}]*)\}/;

function lineOf(line: string): KnownLine {
  const parts = line.split(HOLE);
  return {
    texts: parts.filter((_, index) => index % 2 === 0),
    holes: parts.filter((_, index) => index % 2 === 1),
  };
}

const KNOWN = KNOWN_LINES.map(lineOf);

/** What stands in the holes of a line; null when the text is not this line. Every part is looked for once. */
function contentsOf(text: string, { texts }: KnownLine): string[] | null {
  const [first = '', ...others] = texts;
  if (!text.startsWith(first)) return null;
  const contents: string[] = [];
  let at = first.length;
  for (const [index, part] of others.entries()) {
    const isLast = index === others.length - 1;
    const next = isLast ? text.length - part.length : text.indexOf(part, at);
    if (next < at || !text.startsWith(part, next)) return null;
    contents.push(text.slice(at, next));
    at = next + part.length;
  }
  return at === text.length ? contents : null;
}

const ANSWERS: Readonly<Record<AnswerKind, true>> = {
  ...{ approve: true, premium: true, selectRate: true, adopt: true, resend: true, abandon: true },
  ...{ retry: true, postpone: true, revise: true, rebook: true, close: true, cancel: true },
};
const STATUSES: ReadonlySet<string> = new Set([
  ...LISTING_STATUSES,
  ...TRANSIT_STATUSES,
  'no status',
  'gone',
]);
const OUTCOMES: ReadonlySet<string> = new Set(['done', 'notSent', 'rejected', 'accountTrouble', 'inDoubt']);
const LEFT_OUT = '…';

/** The form of a failed call: its path may hold ids, and its words may be of people. */
const ANSWERED = /^(?:GET|POST|PUT|PATCH|DELETE) \S{1,200} answered (\d{3})(?:$|[: ])/;
const NO_ANSWER = /^(?:GET|POST|PUT|PATCH|DELETE) \S{1,200} got no answer: /;

function publicReason(text: string): string {
  const status = ANSWERED.exec(text)?.[1];
  if (status !== undefined) return `a call was answered with ${status}`;
  return NO_ANSWER.test(text) ? 'a call got no answer' : LEFT_OUT;
}

function publicContent(hole: string, content: string, standIns: StandIns): string {
  switch (hole) {
    case 'account':
    case 'attachment':
    case 'event':
    case 'listing':
    case 'rate':
      return standIns.of(hole, content);
    case 'answer':
      return Object.hasOwn(ANSWERS, content) ? content : LEFT_OUT;
    case 'count':
      return /^\d{1,3}$/.test(content) ? content : LEFT_OUT;
    case 'outcome':
      return OUTCOMES.has(content) ? content : LEFT_OUT;
    case 'reason':
      return publicReason(content);
    case 'status':
      return STATUSES.has(content) ? content : LEFT_OUT;
    default:
      return LEFT_OUT;
  }
}

/**
 * A line of the timeline as it may be published: words of the list above, and contents of closed lists. Whatever the
 * text is, no other part of it appears.
 * @returns null when the list has no such line
 */
export function publicLine(text: string, standIns: StandIns): string | null {
  for (const line of KNOWN) {
    const contents = contentsOf(text, line);
    if (contents === null) continue;
    const [first = '', ...others] = line.texts;
    const shown = contents.map((content, index) => {
      const hole = line.holes[index] ?? '…';
      return `${publicContent(hole, content, standIns)}${others[index] ?? ''}`;
    });
    return first + shown.join('');
  }
  return null;
}
