import { createHash } from 'node:crypto';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Session, Storage, User } from '../storage/storage.ts';

export interface FoundSession {
  readonly userId: number;
  readonly idHash: string;
  /** The session was prolonged, so its cookie must be set again. */
  readonly renewed: boolean;
  /** When the user last proved who this is; 0: never (docs/rules/accounts.md#step-up). */
  readonly confirmedAt: number;
}

export interface SessionOrigin {
  readonly ip: string;
  readonly userAgent: string;
}

/**
 * Browser sessions: opaque 256-bit tokens. The server stores only their SHA-256
 * (docs/rules/accounts.md#sessions).
 */
export interface Sessions {
  /** Lifetime of a session and its cookie, in seconds. */
  readonly maxAge: number;
  /** Returns the token. Only `open-session.ts` signs people in. A new session is confirmed. */
  start(userId: number, method: string, from: SessionOrigin): Promise<string>;
  /** Notes that the user has just confirmed a session. */
  confirm(idHash: string): Promise<void>;
  /**
   * Null for unknown and expired tokens. Prolongs sessions that were last prolonged more than a day
   * ago, and notes time and address (`ip`) of their use every five minutes.
   */
  find(token: string, ip?: string): Promise<FoundSession | null>;
  end(token: string): Promise<void>;
  /** The user's sessions, the last used first. */
  list(userId: number): Promise<readonly ListedSession[]>;
}

export interface ListedSession extends Session {
  /** The beginning of the hash: names the session in calls, and signs nobody in. */
  readonly id: string;
}

const sessionSeconds = 30 * 24 * 3600;
const renewAfter = 24 * 3600;
/** Seconds between two notes of a session's use. */
const noteAfter = 300;
const idLength = 32;

export function hashSecret(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** A user as at the time when a factor was proved. */
export type ProvenUser = Pick<User, 'id' | 'passwordHash'>;

/** Differs once the password is another: with it ends each sign-in that is under way. */
export function passwordStamp({ passwordHash }: ProvenUser): string {
  return hashSecret(passwordHash.reveal());
}

export function createSessions(deps: {
  storage: Pick<Storage, 'sessions'>;
  clock: Clock;
  ids: Ids;
}): Sessions {
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
        confirmedAt: now,
      });
      return token;
    },
    find: async (token, ip) => {
      const session = await sessions.findByHash(hashSecret(token));
      const now = nowSeconds(deps.clock);
      if (session === null || session.expiresAt <= now) return null;
      const renewed = now - (session.expiresAt - sessionSeconds) > renewAfter;
      if (renewed || now - session.lastSeen > noteAfter) {
        const expiresAt = renewed ? now + sessionSeconds : session.expiresAt;
        await sessions.touch(session.idHash, { lastSeen: now, expiresAt, ip: ip ?? session.ip });
      }
      return {
        userId: session.userId,
        idHash: session.idHash,
        renewed,
        confirmedAt: session.confirmedAt,
      };
    },
    confirm: async (idHash) => {
      await sessions.confirm(idHash, nowSeconds(deps.clock));
    },
    end: async (token) => {
      await sessions.delete(hashSecret(token));
    },
    list: async (userId) => {
      const now = nowSeconds(deps.clock);
      const rows = await sessions.listByUser(userId);
      return rows
        .filter(({ expiresAt }) => expiresAt > now)
        .map((row) => ({ ...row, id: row.idHash.slice(0, idLength) }));
    },
  };
}
