/** Access tokens of the v1 interface (docs/rules/providers.md#baidu-tokens). */

import {
  accessToken,
  forgetToken,
  type TokenSource,
  tokenName,
} from '../../canonical/kit/access-token.ts';
import { ReplyFailure } from '../../canonical/kit/failure.ts';
import { countOf, textOf } from '../../canonical/kit/read-json.ts';
import { splitKey } from '../../canonical/kit/split-key.ts';
import type { Call, Effects } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { parseObject } from '../../kernel/json.ts';

const hour = 3600;
const month = 30 * 24 * hour;

function readKey(call: Call) {
  return splitKey(call.key, ['APIKey', 'SecretKey']);
}

function nameFor(call: Call): string {
  const { APIKey, SecretKey } = readKey(call);
  return tokenName('baidu', call.baseUrl, APIKey, SecretKey);
}

/** Throws ReplyFailure (401) for a key that Baidu refuses. */
async function fetchToken(call: Call, effects: Effects) {
  const { APIKey, SecretKey } = readKey(call);
  const query = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: APIKey,
    client_secret: SecretKey,
  });
  const reply = await effects.fetch({
    method: 'POST',
    url: `${call.baseUrl}/oauth/2.0/token?${query}`,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
  });
  const body = parseObject(reply.text);
  const token = textOf(body?.access_token);
  if (token !== undefined && body?.error === undefined)
    return { token, seconds: countOf(body?.expires_in) ?? month };
  if (reply.status >= 500 || body === undefined)
    throw new AppError('bad_response_status_code', { status: reply.status });
  throw new ReplyFailure({
    status: 401,
    type: 'baidu_error',
    code: textOf(body.error),
    message: textOf(body.error_description) ?? 'Baidu gave no access token for this key',
    accountFault: true,
  });
}

/**
 * Throws AppError('invalid_channel_key') before anything is sent, ReplyFailure,
 * AppError('bad_response_status_code').
 */
export function baiduToken(call: Call, effects: Effects): Promise<string> {
  const source: TokenSource = {
    name: nameFor(call),
    renewSeconds: hour,
    fetch: () => fetchToken(call, effects),
  };
  return accessToken(source, effects);
}

export function forgetBaiduToken(call: Call, effects: Effects): void {
  forgetToken(nameFor(call), effects);
}
