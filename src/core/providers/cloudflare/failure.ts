/**
 * `{success: false, errors: [{code, message}], result: null}`
 * (docs/rules/providers.md#cloudflare-failures).
 */
import type { ProviderError } from '../../canonical/chat-reply.ts';
import { failureInside, ReplyFailure, readFailure } from '../../canonical/kit/failure.ts';
import {
  countOf,
  type Loose,
  recordOf,
  recordsOf,
  replyObject,
} from '../../canonical/kit/read-json.ts';
import type { UpstreamFailure } from '../../canonical/provider.ts';

/**
 * For errors that come with status 200. 10000: the token; 3036 and 3040: the account's allowance,
 * the model's capacity.
 */
const meanings: Readonly<Record<number, Pick<ProviderError, 'status' | 'accountFault'>>> = {
  10000: { status: 401, accountFault: true },
  3036: { status: 429 },
  3040: { status: 429 },
  5007: { status: 400 },
};

export function readCloudflareFailure(failure: UpstreamFailure): ProviderError {
  const error = readFailure(failure);
  const code = countOf(recordsOf(recordOf(failure.body)?.errors)[0]?.code);
  return code === undefined ? error : { ...error, code: String(code), ...meanings[code] };
}

/** An error behind status 200; undefined where there is none. */
export function cloudflareError(body: Loose): ProviderError | undefined {
  return body.success === false ? failureInside(body, readCloudflareFailure) : undefined;
}

/** The `result` of a model's own interface. Throws ReplyFailure. */
export function resultOf(body: unknown): Loose {
  const reply = replyObject(body);
  const error = cloudflareError(reply);
  if (error !== undefined) throw new ReplyFailure(error);
  return recordOf(reply.result) ?? reply;
}
