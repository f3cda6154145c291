/**
 * Access tokens that a vendor hands out for a key: fetched once for all who wait, kept, and renewed
 * before they end.
 */
import { createHash } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import { parseObject } from '../../kernel/json.ts';
import type { Effects } from '../provider.ts';
import { countOf, textOf } from './read-json.ts';

export interface AccessToken {
  readonly token: string;
  /** Lifetime from now. */
  readonly seconds: number;
}

export interface TokenSource {
  /** Name in the process-wide cache, by {@link tokenName}. */
  readonly name: string;
  /** With less than this left, a token is still handed out while the next one is fetched. */
  readonly renewSeconds: number;
  fetch(): Promise<AccessToken>;
}

/** A cache key that reveals nothing of the credential. */
export function tokenName(vendor: string, ...parts: readonly string[]): string {
  return `${vendor} ${createHash('sha256').update(parts.join('\n')).digest('base64url')}`;
}

const inProgress = new Map<string, Promise<string>>();

async function fetchShared(source: TokenSource, effects: Effects): Promise<string> {
  const { name } = source;
  const running = inProgress.get(name);
  if (running !== undefined) {
    try {
      return await running;
    } catch (error) {
      // The caller that started the request has left. That is no failure of this call.
      if (!(error instanceof AppError) || error.code !== 'client_gone') throw error;
      return fetchShared(source, effects);
    }
  }
  const fetching = source
    .fetch()
    .then(({ token, seconds }) => {
      const until = effects.now().getTime() + seconds * 1000;
      effects.cache.set(name, JSON.stringify({ token, until }), seconds);
      return token;
    })
    .finally(() => inProgress.delete(name));
  inProgress.set(name, fetching);
  return fetching;
}

/** Rejects with what `source.fetch` rejects with. */
export async function accessToken(source: TokenSource, effects: Effects): Promise<string> {
  const entry = parseObject(effects.cache.get(source.name) ?? '');
  const token = textOf(entry?.token);
  if (token === undefined) return fetchShared(source, effects);
  const left = (countOf(entry?.until) ?? 0) - effects.now().getTime();
  // What fails in the background is tried again by the next caller.
  if (left < source.renewSeconds * 1000) void fetchShared(source, effects).catch(() => undefined);
  return token;
}

/** The upstream no longer takes the token. */
export function forgetToken(name: string, effects: Effects): void {
  effects.cache.set(name, '', 0);
}
