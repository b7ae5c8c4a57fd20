import { expect, test } from '@jest/globals';
import { ListChanges } from '../../../../src/starter/api/list-changes';
import type { ListVersions } from '../../../../src/starter/client/list-versions';
import { until } from '../../../support/until';

const versions = (attention: string): ListVersions => ({ attention, shipments: 's', events: 'e' });

/** Reads that answer one after the other what the test gives; the last one again and again. */
function reading(...answers: readonly (Readonly<Record<string, string>> | Error)[]) {
  let reads = 0;
  const changes = new ListChanges(async () => {
    const answer = answers[Math.min(reads, answers.length - 1)] ?? {};
    reads += 1;
    if (answer instanceof Error) throw answer;
    return await Promise.resolve(
      new Map(Object.entries(answer).map(([account, text]) => [account, versions(text)])),
    );
  }, 1);
  return { changes, count: () => reads };
}

test('streams share each reading, and a stream is sent only what concerns its accounts', async () => {
  const { changes, count } = reading(
    { acme: '1', beta: '1' },
    { acme: '1', beta: '2' },
    { acme: '2', beta: '2' },
  );
  const { signal } = new AbortController();
  const [acme, beta] = [changes.follow(['acme'], signal), changes.follow(['beta'], signal)];
  const firsts = await Promise.all([acme.next(), beta.next()]);
  expect(count()).toBe(1);
  const [ofAcme, ofBeta] = await Promise.all([acme.next(), beta.next()]);
  expect(count()).toBe(3);
  expect(ofAcme.value).not.toEqual(firsts[0].value);
  expect(ofBeta.value).not.toEqual(firsts[1].value);
});

test('nothing is read while nobody follows, and a stream that is ended waits for no reading', async () => {
  const { changes, count } = reading({ acme: '1' });
  const stop = new AbortController();
  const stream = changes.follow(['acme'], stop.signal);
  await stream.next();
  expect(count()).toBe(1);
  const next = stream.next();
  stop.abort();
  expect(await next).toEqual({ done: true, value: undefined });
  const other = changes.follow(['beta'], new AbortController().signal);
  await other.next();
  // Its own reading, and none for the stream that has ended.
  expect(count()).toBe(2);
  expect(await changes.follow(['acme'], stop.signal).next()).toEqual({ done: true, value: undefined });
});

test('a reading that fails ends every stream with its reason, and the next stream reads again', async () => {
  const { changes } = reading(new Error('Temporal is away'), { acme: '1' });
  const { signal } = new AbortController();
  const all = [changes.follow(['acme'], signal).next(), changes.follow(['acme'], signal).next()];
  for (const one of await Promise.allSettled(all))
    expect(one).toMatchObject({ status: 'rejected', reason: { message: 'Temporal is away' } });
  expect((await changes.follow(['acme'], signal).next()).done).toBe(false);
});

test('a reading that outlives its stream is waited for at the end', async () => {
  let answer: (versions: Map<string, ListVersions>) => void = () => {};
  let reads = 0;
  const changes = new ListChanges(async () => {
    reads += 1;
    return await new Promise((resolve) => (answer = resolve));
  }, 1);
  const stop = new AbortController();
  const first = changes.follow(['acme'], stop.signal).next();
  await until(() => reads === 1);
  stop.abort();
  expect((await first).done).toBe(true);
  const order: string[] = [];
  const settled = changes.settled().then(() => order.push('settled'));
  // Whatever is not waited for happens in this turn.
  await new Promise((resolve) => setImmediate(resolve));
  order.push('answered');
  answer(new Map());
  await settled;
  expect(order).toEqual(['answered', 'settled']);
});
