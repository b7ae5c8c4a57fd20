import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import { AtMost } from '../../../../src/starter/api/at-most';

function aReply() {
  const raw = new EventEmitter();
  const headers: [string, unknown][] = [];
  const header = (name: string, value: unknown) => headers.push([name, value]);
  return { reply: { raw, header } as unknown as FastifyReply, raw, headers };
}

test.each([1, 2, 5])('of %d places the next caller gets none, and one once an answer closes', (limit) => {
  const streams = new AtMost(limit, 'streams are open');
  const open = Array.from({ length: limit }, aReply);
  const closed: number[] = [];
  for (const { reply } of open) streams.enter(reply, () => void closed.push(streams.underWay));
  expect(streams.underWay).toBe(limit);
  const refused = aReply();
  expect(() => streams.enter(refused.reply)).toThrow('Too many streams are open. Try again later.');
  expect(refused.headers).toEqual([['retry-after', 30]]);
  expect(open.flatMap(({ headers }) => headers)).toEqual([]);
  // A refused answer closes too, and frees no place.
  refused.raw.emit('close');
  expect(streams.underWay).toBe(limit);
  open[0]?.raw.emit('close');
  expect(closed).toEqual([limit - 1]);
  expect(() => streams.enter(aReply().reply)).not.toThrow();
  expect(streams.underWay).toBe(limit);
});
