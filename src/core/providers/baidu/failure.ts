/**
 * Errors of the v1 interface (docs/rules/providers.md#baidu-v1-failures), also of hosts that no
 * longer serve it.
 */
import type { ProviderError } from '../../canonical/chat-reply.ts';
import { failureMessage, readFailure } from '../../canonical/kit/failure.ts';
import { countOf, type Loose, recordOf, textOf } from '../../canonical/kit/read-json.ts';
import type { UpstreamFailure } from '../../canonical/provider.ts';

interface Meaning {
  readonly status: number;
  readonly accountFault?: true;
}

const meanings: readonly (readonly [codes: readonly number[], meaning: Meaning])[] = [
  [[110, 111], { status: 401 }],
  [[13, 14, 100], { status: 401, accountFault: true }],
  [[6], { status: 403, accountFault: true }],
  [[17, 19], { status: 429, accountFault: true }],
  [[4, 18, 336501, 336502], { status: 429 }],
  [[1, 2, 15, 336000, 336100], { status: 503 }],
  [[336001, 336002, 336003, 336007, 336103, 336104, 336105], { status: 400 }],
  [[336004], { status: 403 }],
  [[336005], { status: 404 }],
];

/**
 * The error that a body of v1 holds; undefined where it holds none. `unknown`: the status of codes
 * not in the table.
 */
export function baiduError(root: Loose, unknown = 502): ProviderError | undefined {
  const code = countOf(root.error_code);
  if (code === undefined || code === 0) return undefined;
  const meaning = meanings.find(([codes]) => codes.includes(code))?.[1] ?? { status: unknown };
  return { ...meaning, message: textOf(root.error_msg), type: 'baidu_error', code: String(code) };
}

/** An access token that is no longer valid: a new one mends it. */
export function isTokenError(error: ProviderError): boolean {
  return error.type === 'baidu_error' && (error.code === '110' || error.code === '111');
}

/**
 * What stands where v1 stood is not v1 any more: the channel cannot serve until it has a key for
 * V2.
 */
export function interfaceEnded(status: number, reply?: string): ProviderError {
  const words =
    'Baidu has ended the v1 interface (wenxinworkshop): the channel needs a Qianfan V2 API key (bce-v3/ALTAK-…), ' +
    'or the address of a host that still serves v1';
  const message = reply === undefined ? words : `${words}. The upstream said: ${reply}`;
  return { status, type: 'baidu_error', code: 'interface_ended', message, accountFault: true };
}

export function readBaiduFailure(failure: UpstreamFailure): ProviderError {
  const own = baiduError(recordOf(failure.body) ?? {}, failure.status);
  if (own !== undefined) return own;
  const gone = failure.status === 404 || failure.status === 410;
  return gone ? interfaceEnded(failure.status, failureMessage(failure.body)) : readFailure(failure);
}
