import { createHash } from 'node:crypto';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Storage } from '../storage/storage.ts';

export interface FoundSession {
  readonly userId: number;
  readonly idHash: string;
  /** The session was prolonged, so its cookie must be set again. */
  readonly renewed: boolean;
}

/** Browser sessions: opaque 256-bit tokens. The server stores only their SHA-256 (docs/rules/accounts.md#sessions). */
export interface Sessions {
  /** Lifetime of a session and its cookie, in seconds. */
  readonly maxAge: number;
  /** Returns the token. */
  start(userId: number, method: string, from: { readonly ip: string; readonly userAgent: string }): Promise<string>;
  /** Null for unknown and expired tokens. Prolongs sessions that were last prolonged more than a day ago. */
  find(token: string): Promise<FoundSession | null>;
  end(token: string): Promise<void>;
  /** Ends all sessions of a user except the given one. */
  endAll(userId: number, exceptHash?: string): Promise<void>;
}

const sessionSeconds = 30 * 24 * 3600;
const renewAfter = 24 * 3600;

export function hashSecret(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

export function createSessions(deps: { storage: Pick<Storage, 'sessions'>; clock: Clock; ids: Ids }): Sessions {
  const { sessions } = deps.storage;
  return {
    maxAge: sessionSeconds,
    start: async (userId, method, { ip, userAgent }) => {
      const token = deps.ids.base64url(32);
      const now = nowSeconds(deps.clock);
      await sessions.insert({
        idHash: hashSecret(token),
        userId,
        createdAt: now,
        lastSeen: now,
        expiresAt: now + sessionSeconds,
        ip,
        userAgent: userAgent.slice(0, 255),
        method,
      });
      return token;
    },
    find: async (token) => {
      const session = await sessions.findByHash(hashSecret(token));
      const now = nowSeconds(deps.clock);
      if (session === null || session.expiresAt <= now) return null;
      const renewed = now - session.lastSeen > renewAfter;
      if (renewed) await sessions.touch(session.idHash, now, now + sessionSeconds);
      return { userId: session.userId, idHash: session.idHash, renewed };
    },
    end: async (token) => {
      await sessions.delete(hashSecret(token));
    },
    endAll: async (userId, exceptHash) => {
      await sessions.deleteByUser(userId, exceptHash);
    },
  };
}
