/**
 * MiniMax reports failures in `base_resp`, mostly with status 200
 * (docs/rules/providers.md#minimax-failures).
 */

import type { ProviderError } from '../../canonical/chat-reply.ts';
import { ReplyFailure, readFailure } from '../../canonical/kit/failure.ts';
import { recordOf, textOf } from '../../canonical/kit/read-json.ts';
import type { UpstreamFailure } from '../../canonical/provider.ts';
import type { JsonObject } from '../../kernel/json.ts';

type Meaning = Pick<ProviderError, 'status' | 'accountFault'>;

const meanings: readonly (readonly [codes: readonly number[], meaning: Meaning])[] = [
  [[1000, 1024, 1033], { status: 500 }],
  [[1001], { status: 504 }],
  [[1002, 1039, 1041, 2056], { status: 429 }],
  [[1004, 2049], { status: 401, accountFault: true }],
  [[1008], { status: 402, accountFault: true }],
  [[1026, 1027, 1042, 2013], { status: 400 }],
];

/**
 * `unknown`: the status of codes that are not in the table. Undefined: the body reports no failure.
 */
export function minimaxError(body: unknown, unknown = 502): ProviderError | undefined {
  const reported = recordOf(recordOf(body)?.base_resp);
  const code = reported?.status_code;
  if (typeof code !== 'number' || code === 0) return undefined;
  const meaning = meanings.find(([codes]) => codes.includes(code))?.[1] ?? { status: unknown };
  return {
    ...meaning,
    message: textOf(reported?.status_msg),
    type: 'minimax_error',
    code: String(code),
  };
}

export function readMiniMaxFailure(failure: UpstreamFailure): ProviderError {
  return minimaxError(failure.body, failure.status) ?? readFailure(failure);
}

/** Throws ReplyFailure where the reply is one. */
export function refuseFailure(body: unknown): void {
  const error = minimaxError(body);
  if (error !== undefined) throw new ReplyFailure(error);
}

/** A failure with the `error` that callers of OpenAI's wire look for; anything else as it is. */
export function reportFailure(body: JsonObject): JsonObject {
  const error = minimaxError(body);
  if (error === undefined) return body;
  const { message = '', type = '', code = '' } = error;
  return { ...body, error: { message, type, param: null, code } };
}
