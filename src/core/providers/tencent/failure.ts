/** Errors of the signed interface; codes are names (docs/rules/providers.md#tencent-failures). */
import type { ProviderError } from '../../canonical/chat-reply.ts';
import { readFailure } from '../../canonical/kit/failure.ts';
import { type Loose, recordOf, textOf } from '../../canonical/kit/read-json.ts';
import type { UpstreamFailure } from '../../canonical/provider.ts';

/** The first entry whose beginning fits counts. */
const meanings: readonly (readonly [start: string, status: number, accountFault?: true])[] = [
  ['AuthFailure', 401, true],
  ['UnauthorizedOperation', 401, true],
  ['LimitExceeded', 429],
  ['RequestLimitExceeded', 429],
  ['FailedOperation.EngineServerLimitExceeded', 429],
  ['FailedOperation.EngineRequestTimeout', 503],
  ['FailedOperation.EngineServerError', 503],
  ['InternalError', 503],
  ['FailedOperation.FreeResourcePackExhausted', 402, true],
  ['FailedOperation.ResourcePackExhausted', 402, true],
  ['FailedOperation.ServiceStopArrears', 402, true],
  ['FailedOperation.ServiceNotActivated', 403, true],
  ['FailedOperation.ServiceStop', 403, true],
  ['ResourceInsufficient', 402, true],
  ['InvalidParameter', 400],
  ['UnsupportedOperation', 400],
  ['OperationDenied', 400],
];

/** What an `Error{Code, Message}` means. `ErrorMsg` of a stream writes `Msg`. */
function judge(error: Loose, unknown: number): ProviderError {
  const code = typeof error.Code === 'number' ? String(error.Code) : textOf(error.Code);
  const [, status = unknown, accountFault] =
    meanings.find(([start]) => code?.startsWith(start)) ?? [];
  const message = textOf(error.Message) ?? textOf(error.Msg);
  return {
    status,
    message,
    type: 'tencent_error',
    code,
    ...(accountFault ? { accountFault } : {}),
  };
}

/**
 * The error in a reply or event, wrapped in `Response` or not; undefined where there is none.
 * `unknown`: the status of codes that are not in the table.
 */
export function tencentError(body: unknown, unknown = 502): ProviderError | undefined {
  const outer = recordOf(body);
  const root = recordOf(outer?.Response) ?? outer;
  const error = recordOf(root?.Error) ?? recordOf(root?.ErrorMsg);
  return error === undefined ? undefined : judge(error, unknown);
}

export function readTencentFailure(failure: UpstreamFailure): ProviderError {
  return tencentError(failure.body, failure.status) ?? readFailure(failure);
}
