/**
 * Sends API calls over HTTP to a gateway, with a user's system access token or the key of a data
 * folder.
 */
import { authApi } from '../../core/contract/auth.ts';
import { type HttpCall, layOutCall, type Transport } from '../../core/contract/client.ts';
import { CallError, openEnvelope, type RawReply } from '../../core/contract/envelope.ts';
import { readFileReply } from '../../core/contract/file-reply.ts';
import { systemApi } from '../../core/contract/system.ts';
import { isObject, parseJson } from '../../core/kernel/json.ts';
import type { Secret } from '../../core/kernel/secret.ts';
import { type Language, localize } from '../base/text.ts';
import { isUnknownPath, unknownCall } from './other-version.ts';

export interface HttpAddress {
  /** Scheme, host and port; a path is used as a prefix. */
  readonly url: string;
  /** Absent: only calls of visitors are possible. */
  readonly key?: Secret | undefined;
  readonly language: Language;
  /** The key is the one in the data folder: requests act as root, without a user id. */
  readonly isOperator?: boolean;
  /** Milliseconds a call may take. A channel test waits for its upstream. */
  readonly timeoutMs?: number | undefined;
}

/**
 * A transport over HTTP. The value of the user id header is fetched once, by a call that does not
 * need it (docs/rules/command-line.md#remote-calls). Throws CallError gateway_unreachable when
 * there is no reply, or not from a gateway.
 */
export function createHttpTransport(address: HttpAddress): Transport {
  let userId: Promise<string> | undefined;
  /** Of a gateway that does not have the call: 'Invalid URL' would be no help. */
  const known = async (reply: RawReply): Promise<RawReply> => {
    if (!isUnknownPath(reply)) return reply;
    const { body } = await send(address, layOutCall(systemApi.status, {}), {});
    const status = isObject(body) && isObject(body.data) ? body.data : {};
    const theirs = typeof status['version'] === 'string' ? status['version'] : '';
    throw unknownCall({ url: address.url, theirs, language: address.language });
  };
  const learnUserId = async () => {
    const reply = await send(address, layOutCall(authApi.info, {}), {});
    const { output } = openInfo(await known(reply));
    if (!isObject(output) || typeof output.id !== 'number')
      throw unreachable(address, reply.status);
    return String(output.id);
  };
  return async (call, input) => {
    const laidOut = layOutCall(call, input);
    const isFile = call.shape === 'file';
    if (call.access === 'visitor' || address.isOperator)
      return known(await send(address, laidOut, {}, isFile));
    userId ??= learnUserId().catch((error: unknown) => {
      userId = undefined; // the next call asks again: the gateway may be back
      throw error;
    });
    return known(await send(address, laidOut, { 'New-Api-User': await userId }, isFile));
  };
}

/**
 * The reply of this call has a status but no error code; 401 is the answer to an access token that
 * is not valid.
 */
function openInfo(reply: RawReply): { output: unknown } {
  try {
    return openEnvelope(authApi.info, reply);
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== 401) throw error;
    throw new CallError(error.message, error.status, 'access_token_invalid', error.requestId, {
      cause: error,
    });
  }
}

/** A reply, and the cookies that it sets as a `Cookie` header has them. */
interface CookieReply extends RawReply {
  readonly cookie: string;
}

/**
 * Sends one call with these headers besides the common ones. Throws CallError gateway_unreachable.
 */
export async function send(
  address: HttpAddress,
  call: HttpCall,
  extra: Record<string, string>,
  isFile = false,
): Promise<CookieReply> {
  const headers: Record<string, string> = {
    ...(address.key !== undefined && { authorization: `Bearer ${address.key.reveal()}` }),
    accept: 'application/json',
    'accept-language': address.language,
    ...extra,
  };
  if (call.body !== undefined) headers['content-type'] = 'application/json';
  let response: Response;
  let text: string;
  // A download may take longer than a call: only its beginning is waited for.
  const limit = new AbortController();
  const timer = setTimeout(
    () => limit.abort(new DOMException('', 'TimeoutError')),
    address.timeoutMs ?? 300_000,
  );
  try {
    response = await fetch(address.url.replace(/\/+$/, '') + call.path, {
      method: call.method,
      headers,
      redirect: 'error', // a redirect could send the key to another server
      signal: limit.signal,
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
    const file = isFile ? readFileReply(response) : undefined;
    if (file !== undefined) {
      const chunks = orUnreachable(address, file.chunks);
      return { status: response.status, body: undefined, file: { ...file, chunks }, cookie: '' };
    }
    text = await response.text();
  } catch (cause) {
    throw unreachable(address, 502, cause);
  } finally {
    clearTimeout(timer);
  }
  const body = parseJson(text);
  if (!isObject(body) || !isEnvelope(body)) throw unreachable(address, response.status);
  const total = response.headers.get('x-total-count');
  return {
    status: response.status,
    body,
    total: total === null ? undefined : Number(total),
    requestId: response.headers.get('x-oneapi-request-id') ?? undefined,
    cookie: response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; '),
  };
}

/** Whether a reply has the form of a gateway's: other servers' JSON seldom has. */
const isEnvelope = (body: Readonly<Record<string, unknown>>): boolean =>
  'success' in body ||
  isObject(body['error']) ||
  ('message' in body && ('code' in body || 'data' in body));

/** The chunks of a download. A connection that breaks off is `gateway_unreachable` here, too. */
async function* orUnreachable(
  address: HttpAddress,
  chunks: AsyncIterable<string>,
): AsyncGenerator<string> {
  const reader = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await reader.next().catch((cause: unknown) => {
        throw unreachable(address, 502, cause);
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await reader.return?.();
  }
}

/** Without a cause there was a reply, but not one of a gateway. */
function unreachable({ url, language }: HttpAddress, status: number, cause?: unknown): CallError {
  const message =
    cause === undefined
      ? localize(language, texts.noGateway, { url, status })
      : `${localize(language, texts.noReply, { url })}${reasonOf(cause)}`;
  return new CallError(message, status, 'gateway_unreachable', undefined, { cause });
}

/** The reason of a failed fetch; the message of the error itself is only `fetch failed`. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return '';
  const inner = cause.cause instanceof Error ? cause.cause : cause;
  const code = (inner as NodeJS.ErrnoException).code;
  return ` (${code ?? (inner.message || inner.name)})`;
}

const texts = {
  noReply: { en: 'Cannot reach a gateway at {url}', zh: '无法连接网关：{url}' },
  noGateway: {
    en: '{url} answers with status {status}, but not as a Turnpike gateway does',
    zh: '{url} 返回了状态码 {status}，但不是 Turnpike 网关的响应',
  },
} as const;
