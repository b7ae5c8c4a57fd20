import { expect, test } from '@jest/globals';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import type {
  ActivityInput,
  ContinueAsNewInput,
  StartChildWorkflowExecutionInput,
} from '@temporalio/workflow';
import { traceHeaders } from '../../../src/workflows/trace-headers';

const payloadOf = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);
const TRACE = payloadOf({ traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' });
const OTHER = payloadOf('other');

/** Runs a workflow that was started with these headers. @returns those of everything that it starts with `own` */
function startedWith(headers: Record<string, Payload>, own: Record<string, Payload> = {}): unknown[] {
  const { inbound: [inbound] = [], outbound: [outbound] = [] } = traceHeaders();
  const found: unknown[] = [];
  const note = async (input: { readonly headers: Record<string, Payload> }): Promise<never> => {
    found.push(input.headers);
    return await new Promise<never>(() => undefined);
  };
  void inbound?.execute?.({ args: [], headers }, async () => await Promise.resolve());
  void outbound?.scheduleActivity?.({ headers: own } as ActivityInput, note);
  void outbound?.startChildWorkflowExecution?.({ headers: own } as StartChildWorkflowExecutionInput, note);
  void outbound?.continueAsNew?.({ headers: own } as ContinueAsNewInput, note);
  return found;
}

test.each([
  ['a trace', { '_tracer-data': TRACE }, {}, { '_tracer-data': TRACE }],
  ['a trace and other headers', { '_tracer-data': TRACE, other: OTHER }, {}, { '_tracer-data': TRACE }],
  ['no trace', { other: OTHER }, { own: OTHER }, { own: OTHER }],
  ['no header', {}, {}, {}],
  [
    'a trace, beside its own headers',
    { '_tracer-data': TRACE },
    { own: OTHER },
    { own: OTHER, '_tracer-data': TRACE },
  ],
])('a run that was started with %s hands on only the trace', (_, headers, own, expected) => {
  // At once: what is found later has let promises settle in another order.
  expect(startedWith(headers, own)).toEqual([expected, expected, expected]);
});

test('two runs of a worker do not see the traces of each other', () => {
  startedWith({ '_tracer-data': TRACE });
  expect(startedWith({})).toEqual([{}, {}, {}]);
});

test('what an activity and a run give back is passed on unchanged, without a further promise', () => {
  const { inbound: [inbound] = [], outbound: [outbound] = [] } = traceHeaders();
  const result = Promise.resolve('done');
  const same = (): Promise<unknown> => result;
  expect(inbound?.execute?.({ args: [], headers: {} }, same)).toBe(result);
  expect(outbound?.scheduleActivity?.({ headers: {} } as ActivityInput, same)).toBe(result);
});
