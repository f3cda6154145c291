import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { parseCookie } from 'cookie';
import type { Request } from 'express';
import type { Actor } from '../../core/accounts/actor.ts';
import type { User } from '../../core/accounts/own-account.ts';
import { type FoundSession, hashSecret } from '../../core/accounts/sessions.ts';
import { type App, actorFrom } from '../../core/app.ts';
import type { Endpoint } from '../../core/contract/endpoint.ts';
import { AppError } from '../../core/kernel/errors.ts';
import type { Secret } from '../../core/kernel/secret.ts';
import { userStatuses } from '../../core/vocabulary/statuses.ts';
import { factsOf } from './request-facts.ts';

export const sessionCookie = 'session';

/** Whose credentials came with a request (spec, console-api 0.3). */
export interface Identity {
  readonly actor: Actor | null;
  readonly isOperator: boolean;
  /** The session that identified the caller, with the token it came by. */
  readonly session?: FoundSession & { readonly token: string; readonly byCookie: boolean };
}

const nobody: Identity = { actor: null, isOperator: false };

/** Whether the request carries the key of this gateway's address file, from this machine. Cheap: no database. */
export function isOperator(request: Request, key: Secret | undefined): boolean {
  const given = /^Bearer (\S+)$/.exec(request.get('authorization') ?? '')?.[1];
  if (key === undefined || given === undefined || !isLoopback(request.socket.remoteAddress)) return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(key.reveal()));
}

/**
 * Credentials, then the user-id header, then the status; the role is the call's business. Calls for visitors never fail
 * here: credentials that do not hold make a visitor. Throws AppError not_signed_in, access_token_invalid, user_id_*,
 * user_banned.
 */
export async function identify(app: App, request: Request, call: Endpoint, key: Secret | undefined): Promise<Identity> {
  const { clientIp } = factsOf(request);
  if (isOperator(request, key)) return { actor: await app.findOperator(clientIp), isOperator: true };
  try {
    const found = await findUser(app, request);
    if (found === null) return nobody;
    const { user, session } = found;
    // The client of the two-letter envelope does not know its id yet (spec, console-api 2.3).
    if (call.access !== 'visitor' && call.shape !== 'code') checkUserId(request, user.id);
    if (user.deletedAt !== null) throw new AppError('not_signed_in');
    if (user.status !== userStatuses.active) throw new AppError('user_banned');
    return { actor: actorFrom(user, clientIp), isOperator: false, session };
  } catch (error) {
    if (call.access === 'visitor' && error instanceof AppError && error.code !== 'database_unavailable') return nobody;
    throw error;
  }
}

/** Cookie, then `server-token`, then the system access token, which counts only where neither identifies a user. */
async function findUser(app: App, request: Request): Promise<{ user: User; session?: Identity['session'] } | null> {
  const cookie = parseCookie(request.get('cookie') ?? '')[sessionCookie];
  for (const [token, byCookie] of [
    [cookie, true],
    [request.get('server-token'), false],
  ] as const) {
    const session = token ? await app.sessions.find(token) : null;
    const user = session === null ? null : await app.storage.users.find(session.userId);
    if (token && session !== null && user !== null) return { user, session: { ...session, token, byCookie } };
  }
  const header = readAuthorization(request);
  if (!header) return null;
  const user = await app.storage.users.findByAccessTokenHash(hashSecret(header));
  if (user === null) throw new AppError('access_token_invalid');
  return { user };
}

/** The `Authorization` header, bare or behind `Bearer`. */
export function readAuthorization(request: Request): string | undefined {
  const text = request
    .get('authorization')
    ?.replace(/^Bearer\s+/i, '')
    .trim();
  return text === '' ? undefined : text;
}

function checkUserId(request: Request, id: number): void {
  const given = request.get('new-api-user') ?? request.get('user-id');
  if (given === undefined || given.trim() === '') throw new AppError('user_id_missing');
  if (!/^\d{1,15}$/.test(given.trim())) throw new AppError('user_id_malformed');
  if (Number(given) !== id) throw new AppError('user_id_mismatch');
}

function isLoopback(address = ''): boolean {
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address;
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}
