/**
 * Requests of the playgrounds to the relay (docs/rules/relay.md#playground), and what goes wrong
 * with them.
 */
import { CallError } from '../../../core/contract/envelope.ts';
import { isObject } from '../../../core/kernel/json.ts';
import { reportConnection } from '../../client/connection.ts';
import { leaveWhenExpired } from '../../client/failures.ts';
import { loginOfCall } from '../../client/login-of-call.ts';
import { currentUser } from '../../client/session.ts';
import { currentLanguage } from '../../i18n/index.ts';
import type { MessageError } from './chat/message.ts';

export class PlaygroundError extends Error {
  readonly details: MessageError;
  constructor(details: MessageError, options?: ErrorOptions) {
    super(details.text, options);
    this.name = 'PlaygroundError';
    this.details = details;
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/**
 * The error in a body or an event: OpenAI's shape, or that of the console's own calls. Undefined:
 * it reports none.
 */
export function readError(value: unknown, status: number): MessageError | undefined {
  if (!isObject(value)) return undefined;
  const { error, success, message, code } = value;
  if (isObject(error)) {
    const text = textOf(error['message']).replace(/ \(request id: \S+\)$/, '');
    return { status, text, code: textOf(error['code']), type: textOf(error['type']) };
  }
  return success === false
    ? { status, text: textOf(message), code: textOf(code), type: '' }
    : undefined;
}

function userHeaders(): Record<string, string> {
  const user = currentUser();
  return {
    'Accept-Language': currentLanguage(),
    ...(user === null ? {} : { 'New-Api-User': String(user.id) }),
  };
}

/** Stops an order of images wherever it is: leaving it lets it go on. Never rejects. */
export async function stopImages(key: string): Promise<void> {
  await fetch(`/pg/images/generations/${key}`, {
    method: 'DELETE',
    credentials: 'same-origin',
    headers: userHeaders(),
  }).catch(() => undefined);
}

/**
 * Posts as the signed-in user. `key`: what the page calls the request. Throws PlaygroundError; what `signal` aborts is thrown as it comes.
 */
export async function postAsUser(
  path: string,
  body: object | FormData,
  signal: AbortSignal,
  key?: string,
): Promise<Response> {
  const checkLogin = loginOfCall();
  let response: Response;
  const isForm = body instanceof FormData;
  try {
    response = await fetch(path, {
      method: 'POST',
      credentials: 'same-origin',
      headers: {
        // A form names its own boundary.
        ...(isForm ? {} : { 'Content-Type': 'application/json' }),
        ...userHeaders(),
        ...(key === undefined ? {} : { 'X-Playground-Key': key }),
      },
      body: isForm ? body : JSON.stringify(body),
      signal,
    });
  } catch (cause) {
    if (signal.aborted) throw cause;
    reportConnection(false);
    throw new PlaygroundError(
      { status: 0, code: 'gateway_unreachable', type: '', text: '' },
      { cause },
    );
  }
  reportConnection(true);
  if (response.ok) return response;
  const { status } = response;
  checkLogin(status);
  if (status === 401) leaveWhenExpired(new CallError('', status));
  const failure = readError(await response.json().catch(() => undefined), status);
  throw new PlaygroundError(failure ?? { status, code: '', type: '', text: '' });
}

/** The id of the request, under which the usage log has its charge. */
export function requestIdOf(response: Response): string | undefined {
  return response.headers.get('X-Oneapi-Request-Id') ?? undefined;
}
