import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { parseCookie } from 'cookie';
import type { Request } from 'express';
import type { Authenticated } from '../../core/accounts/authentication.ts';
import { readCredentials } from '../../core/accounts/request-credentials.ts';
import type { App } from '../../core/app.ts';
import type { Endpoint } from '../../core/contract/endpoint.ts';
import type { Actor } from '../../core/kernel/actor.ts';
import type { Secret } from '../../core/kernel/secret.ts';
import { factsOf } from './request-facts.ts';

/** The caller identified by a request's credentials (docs/rules/console-api.md#credentials). */
export interface Identity {
  readonly actor: Actor | null;
  readonly isOperator: boolean;
  /** The session that identified the caller, with its token. */
  readonly session?: Authenticated['session'];
}

/**
 * Whether the request comes from this machine and has the key of this gateway's address file. Needs
 * no database.
 */
export function isOperator(request: Request, key: Secret | undefined): boolean {
  const given = /^Bearer (\S+)$/.exec(request.get('authorization') ?? '')?.[1];
  if (key === undefined || given === undefined || !isLoopback(request.socket.remoteAddress))
    return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(key.reveal()));
}

/** Identifies the caller. Throws what {@link App.accounts.authenticate} throws. */
export async function identify(
  app: App,
  request: Request,
  call: Pick<Endpoint, 'access' | 'shape' | 'withoutUserId'>,
  key: Secret | undefined,
): Promise<Identity> {
  const { clientIp } = factsOf(request);
  if (isOperator(request, key))
    return { actor: await app.setup.findOperator(clientIp), isOperator: true };
  const found = await app.accounts.authenticate(readCredentials(request.headers, clientIp), {
    optional: call.access === 'visitor',
    // The client of the two-letter envelope does not know its id yet
    // (docs/rules/console-api.md#user-id-header).
    checksUserId:
      call.access === 'visitor' ? call.withoutUserId !== undefined : call.shape !== 'code',
    strictUserId: call.withoutUserId === 'refused',
  });
  return { actor: null, ...found, isOperator: false };
}

export const preLoginName = 'pre';

/**
 * The pre-login cookie (docs/rules/accounts.md#pre-login-record); undefined without one that may be
 * ours.
 */
export function readPreLogin({ accounts }: App, request: Request): string | undefined {
  const given = parseCookie(request.get('cookie') ?? '')[preLoginName];
  return given !== undefined && accounts.preLogins.isToken(given) ? given : undefined;
}

export const deviceCookieName = 'device';

/** The cookie of known devices (docs/rules/accounts.md#known-browsers); '' without one. */
export function readDevice(request: Request): string {
  return parseCookie(request.get('cookie') ?? '')[deviceCookieName] ?? '';
}

function isLoopback(address = ''): boolean {
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address;
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}
