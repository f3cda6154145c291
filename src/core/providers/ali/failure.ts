/** DashScope's error codes (docs/rules/providers.md#dashscope-failures). */
import type { ProviderError } from '../../canonical/chat-reply.ts';
import { ReplyFailure, readFailure } from '../../canonical/kit/failure.ts';
import { type Loose, recordOf, textOf } from '../../canonical/kit/read-json.ts';
import type { UpstreamFailure } from '../../canonical/provider.ts';

type Meaning = Pick<ProviderError, 'status' | 'accountFault'>;

/**
 * By how codes begin; each interface has a spelling of its own. An empty account comes with status
 * 400.
 */
const meanings: readonly (readonly [start: string, meaning: Meaning])[] = [
  ['Arrearage', { status: 402, accountFault: true }],
  ['InvalidApiKey', { status: 401, accountFault: true }],
  ['invalid_api_key', { status: 401, accountFault: true }],
  ['Throttling', { status: 429 }],
  // Tokens a minute, not money.
  ['insufficient_quota', { status: 429, accountFault: undefined }],
  ['AccessDenied', { status: 403 }],
  ['AllocationQuota', { status: 403 }],
  ['ModelNotFound', { status: 404 }],
  ['InvalidParameter', { status: 400 }],
  ['InvalidURL', { status: 400 }],
  ['BadRequest', { status: 400 }],
  ['DataInspectionFailed', { status: 400 }],
  ['InternalError', { status: 500 }],
  ['RequestTimeOut', { status: 504 }],
];

export function meaningOf(code: string | undefined): Meaning | undefined {
  return code === undefined ? undefined : meanings.find(([start]) => code.startsWith(start))?.[1];
}

/**
 * `{error: {code, message, type}}` of the compatible interface, `{code, message, request_id}` of
 * DashScope's own.
 */
export function readAliFailure(failure: UpstreamFailure): ProviderError {
  const error = readFailure(failure);
  const root = recordOf(failure.body);
  const own = recordOf(root?.error) === undefined && error.code !== undefined;
  const named = own ? { type: error.code, param: textOf(root?.request_id) } : {};
  return { ...error, ...named, ...meaningOf(error.code) };
}

/**
 * Throws ReplyFailure where a reply of DashScope's own interfaces reports a failure, which rarely
 * has status 200.
 */
export function refuseFailure(reply: Loose): void {
  if (textOf(reply.code) === undefined) return;
  throw new ReplyFailure(readAliFailure({ status: 502, headers: {}, text: '', body: reply }));
}
