/** The console's door to the server: the typed client over fetch, same origin. */
import { createClient, layOutCall, type Transport } from '../../core/contract/client.ts';
import { buildHeader, CallError } from '../../core/contract/envelope.ts';
import { currentLanguage } from '../i18n/index.ts';
import { reportConnection } from './connection.ts';
import { loginOfCall } from './login-of-call.ts';
import { currentUser } from './session.ts';
import { withStepUp } from './step-up.ts';

/**
 * Milliseconds after which a call that got no reply has failed: twice the time of the longest one,
 * the test of a channel. A download is written while it is read, however long.
 */
const callLimit = 120_000;

/** From here on, a status without a reply of ours is that of a proxy whose gateway is gone. */
const firstGoneStatus = 502;

const fetchTransport: Transport = async (call, input) => {
  const { method, path, body } = layOutCall(call, input);
  const headers = new Headers({
    'Cache-Control': 'no-store',
    'Accept-Language': currentLanguage(),
  });
  const user = currentUser();
  if (user !== null) headers.set('New-Api-User', String(user.id));
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  const checkLogin = loginOfCall();
  const unreachable = (cause?: unknown) => {
    reportConnection(false);
    return new CallError('', 0, 'gateway_unreachable', undefined, { cause });
  };
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      credentials: 'same-origin',
      ...(call.shape !== 'file' && { signal: AbortSignal.timeout(callLimit) }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (cause) {
    throw unreachable(cause);
  }
  const isJson = response.headers.get('Content-Type')?.includes('json');
  if (response.status >= firstGoneStatus && !isJson) throw unreachable();
  reportConnection(true, response.headers.get(buildHeader));
  checkLogin(response.status);
  if (call.shape === 'file') {
    const file = (await import('../../core/contract/file-reply.ts')).readFileReply(response);
    if (file !== undefined) return { status: response.status, body: undefined, file };
  }
  const total = response.headers.get('X-Total-Count');
  return {
    status: response.status,
    body: await response.json().catch(() => undefined),
    total: total === null ? undefined : Number(total),
    requestId: response.headers.get('X-Oneapi-Request-Id') ?? undefined,
  };
};

export const client = createClient(withStepUp(fetchTransport));
