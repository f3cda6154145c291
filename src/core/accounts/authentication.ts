import type { Actor } from '../kernel/actor.ts';
import { AppError } from '../kernel/errors.ts';
import type { Storage, User } from '../storage/storage.ts';
import { userStatuses } from '../vocabulary/statuses.ts';
import { actorFrom } from './actor-from.ts';
import { type FoundSession, hashSecret, type Sessions } from './sessions.ts';

/** The credentials in a request of the console API. */
export interface Credentials {
  /** Session tokens. The first one that identifies a user is used. */
  readonly sessions: readonly { readonly token: string; readonly byCookie: boolean }[];
  /** A system access token. It is used only if no session identifies a user. */
  readonly accessToken: string | undefined;
  /** The user id that the caller sent; '' and undefined: none. */
  readonly userId: string | undefined;
  readonly ip: string;
}

export interface AuthenticationRules {
  /** Whether the user id must be present and match. */
  readonly checksUserId: boolean;
  /** Invalid credentials yield a visitor instead of an error. */
  readonly optional: boolean;
  /** A user id that is missing or wrong is an error even so. */
  readonly strictUserId?: boolean;
}

export interface Authenticated {
  readonly actor: Actor;
  /** The session that identified the caller, with its token; absent for a system access token. */
  readonly session?: FoundSession & { readonly token: string; readonly byCookie: boolean };
}

/** Identifies the caller by credentials (docs/rules/console-api.md#user-id-header). */
export interface Authentication {
  /**
   * Null: a visitor. Checks the credentials, then the user id, then the account's status; roles are
   * checked per call. Throws AppError not_signed_in, access_token_invalid, user_id_missing,
   * user_id_malformed, user_id_mismatch, user_banned; if credentials are optional, only
   * database_unavailable, and those of the user id where it is strict.
   */
  authenticate(credentials: Credentials, rules: AuthenticationRules): Promise<Authenticated | null>;
}

export interface AuthenticationDeps {
  readonly storage: Pick<Storage, 'users'>;
  readonly sessions: Pick<Sessions, 'find'>;
}

export function createAuthentication({ storage, sessions }: AuthenticationDeps): Authentication {
  const findUser = async (
    credentials: Credentials,
  ): Promise<{ user: User; session?: NonNullable<Authenticated['session']> } | null> => {
    for (const { token, byCookie } of credentials.sessions) {
      const session = await sessions.find(token, credentials.ip);
      const user = session === null ? null : await storage.users.find(session.userId);
      if (session !== null && user !== null)
        return { user, session: { ...session, token, byCookie } };
    }
    if (credentials.accessToken === undefined) return null;
    const user = await storage.users.findByAccessTokenHash(hashSecret(credentials.accessToken));
    if (user === null) throw new AppError('access_token_invalid');
    return { user };
  };

  return {
    authenticate: async (credentials, { checksUserId, optional, strictUserId = false }) => {
      try {
        const found = await findUser(credentials);
        if (found === null) return null;
        const { user, session } = found;
        if (checksUserId) requireUserId(credentials.userId, user.id);
        if (user.deletedAt !== null) throw new AppError('not_signed_in');
        if (user.status !== userStatuses.active) throw new AppError('user_banned');
        return { actor: actorFrom(user, credentials.ip), ...(session && { session }) };
      } catch (error) {
        if (!optional || !(error instanceof AppError) || error.code === 'database_unavailable')
          throw error;
        if (strictUserId && userIdErrors.has(error.code)) throw error;
        return null;
      }
    },
  };
}

const userIdErrors: ReadonlySet<string> = new Set([
  'user_id_missing',
  'user_id_malformed',
  'user_id_mismatch',
]);

function requireUserId(claimed: string | undefined, id: number): void {
  const text = claimed?.trim() ?? '';
  if (text === '') throw new AppError('user_id_missing');
  if (!/^\d{1,15}$/.test(text)) throw new AppError('user_id_malformed');
  if (Number(text) !== id) throw new AppError('user_id_mismatch');
}
