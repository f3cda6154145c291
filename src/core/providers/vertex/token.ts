/** Access tokens for service accounts (docs/rules/providers.md#vertex-keys; RFC 7523). */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import {
  type AccessToken,
  accessToken,
  forgetToken,
  tokenName,
} from '../../canonical/kit/access-token.ts';
import { ReplyFailure } from '../../canonical/kit/failure.ts';
import { countOf, textOf } from '../../canonical/kit/read-json.ts';
import type { Effects } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { parseObject } from '../../kernel/json.ts';
import type { ServiceAccount } from './key.ts';

const scope = 'https://www.googleapis.com/auth/cloud-platform';
const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** Seconds an assertion may live. */
const assertionSeconds = 3600;
/**
 * Seconds before its end at which a token is no longer used, and from which before that the next is
 * fetched.
 */
const unusedSeconds = 300;

function privateKeyOf(account: ServiceAccount): KeyObject {
  try {
    return createPrivateKey(account.privateKey);
  } catch {
    // The reason could quote the key.
    throw new AppError('invalid_channel_key', { detail: 'service account JSON: private_key' });
  }
}

/** The signed statement that is exchanged for a token. Throws AppError('invalid_channel_key'). */
async function writeAssertion(account: ServiceAccount, now: Date): Promise<string> {
  const key = privateKeyOf(account);
  if (key.asymmetricKeyType !== 'rsa')
    throw new AppError('invalid_channel_key', { detail: 'service account JSON: private_key' });
  const issued = Math.floor(now.getTime() / 1000);
  return new SignJWT({ scope })
    .setProtectedHeader({
      alg: 'RS256',
      typ: 'JWT',
      ...(account.privateKeyId && { kid: account.privateKeyId }),
    })
    .setIssuer(account.clientEmail)
    .setAudience(account.tokenUri)
    .setIssuedAt(issued)
    .setExpirationTime(issued + assertionSeconds)
    .sign(key);
}

async function fetchToken(account: ServiceAccount, effects: Effects): Promise<AccessToken> {
  const form = new URLSearchParams({
    grant_type: grantType,
    assertion: await writeAssertion(account, effects.now()),
  });
  const reply = await effects.fetch({
    method: 'POST',
    url: account.tokenUri,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: Buffer.from(form.toString()),
  });
  const body = parseObject(reply.text);
  const token = textOf(body?.access_token);
  if (reply.status === 200 && token !== undefined)
    return {
      token,
      seconds: Math.max(1, (countOf(body?.expires_in) ?? assertionSeconds) - unusedSeconds),
    };
  // Google replies with 400 for a deleted account and for a revoked key.
  const refused = reply.status >= 400 && reply.status < 500 && reply.status !== 429;
  throw new ReplyFailure({
    status: refused ? 401 : reply.status === 200 ? 502 : reply.status,
    code: textOf(body?.error),
    message: textOf(body?.error_description) ?? 'no access token was given',
    ...(refused ? { accountFault: true } : {}),
  });
}

function nameOf(account: ServiceAccount): string {
  return tokenName('vertex', account.tokenUri, account.clientEmail, account.privateKey);
}

/** Throws AppError('invalid_channel_key'), and ReplyFailure where Google gives none. */
export function tokenOf(account: ServiceAccount, effects: Effects): Promise<string> {
  const source = {
    name: nameOf(account),
    renewSeconds: unusedSeconds,
    fetch: () => fetchToken(account, effects),
  };
  return accessToken(source, effects);
}

export function dropToken(account: ServiceAccount, effects: Effects): void {
  forgetToken(nameOf(account), effects);
}
