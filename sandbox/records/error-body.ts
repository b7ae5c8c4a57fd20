import { htmlType, pageOf } from '../model/answer';
import type { ApiProblem } from '../model/errors';
import type { SandboxSwitches } from '../model/switches';

/** The contract does not show the error body; each form that was met is a value of the switch `errorBody`. */
export function errorBody(
  { reason, errors }: Pick<ApiProblem, 'reason' | 'errors'>,
  form: SandboxSwitches['errorBody'],
): { contentType: string; body: unknown } {
  const entries = errors.map(({ code, field, reason: developerMessage }) => ({
    ...{ errorCode: code, field, developerMessage, userMessage: reason },
  }));
  const bodies = {
    reason: { reason, errors },
    developerMessage: { errors: entries },
    message: { message: reason },
    html: pageOf(reason),
    empty: undefined,
  };
  return {
    contentType: form === 'html' ? htmlType : 'application/json; charset=utf-8',
    body: bodies[form],
  };
}
