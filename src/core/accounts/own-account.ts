import type { Audit } from '../audit/audit-log.ts';
import type { Changes } from '../cluster/changes.ts';
import { requireAllowed } from '../entities/require-allowed.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage, User, UserChange } from '../storage/storage.ts';
import { checkHashingRoom, passwordChange, verifyPassword } from './password.ts';
import { hashSecret, type Sessions } from './sessions.ts';
import { attemptKey, type LoginGuard } from './sign-in/login-guard.ts';
import { checkProfileEdits, type ProfileEdits } from './user-fields.ts';

export type { User };

export interface OwnAccountDeps {
  readonly storage: Storage;
  readonly options: Pick<OptionStore, 'get'>;
  readonly sessions: Sessions;
  readonly guard: LoginGuard;
  readonly changes: Changes;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Deletes the files of a user whose account was deleted. Never rejects. */
  readonly deleteFiles: (userId: number) => Promise<void>;
}

export interface ProfileChange extends ProfileEdits {
  readonly originalPassword?: string;
}

/** Changes that users make to their own account (docs/rules/accounts.md#own-account). */
export interface OwnAccount {
  /** Throws AppError not_found. */
  get(userId: number): Promise<User>;
  /** Empty values mean unchanged. A new password ends all sessions but `keepSession`, and the system access token. */
  update(userId: number, change: ProfileChange, keepSession?: string): Promise<void>;
  /** Deactivates the account: disables its tokens, ends its sessions and revokes the system access token. */
  remove(actor: Actor): Promise<void>;
  /** Creates a system access token and revokes the previous one. It cannot be read again later. */
  makeSystemToken(actor: Actor): Promise<string>;
  /** Which credentials the account has. */
  credentials(userId: number): Promise<{ readonly hasPassword: boolean; readonly hasSystemToken: boolean }>;
}

const systemTokenLength = 32;

export function createOwnAccount(deps: OwnAccountDeps): OwnAccount {
  const { storage, changes } = deps;

  const get = async (userId: number): Promise<User> => {
    const user = await storage.users.find(userId);
    if (user === null) throw new AppError('not_found');
    return user;
  };

  const checkOriginal = async (user: User, given: string | undefined): Promise<void> => {
    const stored = user.passwordHash.reveal();
    if (given === undefined && (!deps.options.get('RequireOriginalPassword') || stored === '')) return;
    // Whoever found a browser signed in must not be able to guess the password there.
    checkHashingRoom();
    await deps.guard.begin(attemptKey(user));
    if (!(await verifyPassword(given ?? '', stored)).matches) throw new AppError('original_password_wrong');
    await deps.guard.succeed(attemptKey(user));
  };

  return {
    get,
    update: async (userId, change, keepSession) => {
      const user = await get(userId);
      const { password, ...profile } = checkProfileEdits(change, user);
      if (password !== undefined) await checkOriginal(user, change.originalPassword);
      const next = { ...profile, ...(password !== undefined && (await passwordChange(password, deps.ids))) };
      if (Object.keys(next).length === 0) return;
      await updateUser(storage, userId, next);
      if (password !== undefined) await deps.sessions.endAll(userId, keepSession);
      await changes.announce('user', userId);
    },
    remove: async (actor) => {
      requireAllowed('remove-self', { actor });
      await deactivateUser(storage, actor.id, nowSeconds(deps.clock));
      await deps.deleteFiles(actor.id);
      await changes.announce('user', actor.id);
      await deps.audit.record(actor, 'user.remove_self', actor.id);
    },
    makeSystemToken: async (actor) => {
      const token = deps.ids.alphanumeric(systemTokenLength);
      await updateUser(storage, actor.id, { accessTokenHash: hashSecret(token) });
      await changes.announce('user', actor.id);
      await deps.audit.record(actor, 'user.system_token', actor.id);
      return token;
    },
    credentials: async (userId) => {
      const user = await get(userId);
      return { hasPassword: user.passwordHash.reveal() !== '', hasSystemToken: user.accessTokenHash !== null };
    },
  };
}

/** Throws AppError not_found, and username_taken if the name belongs to another user. */
export async function updateUser(storage: Pick<Storage, 'users'>, id: number, change: UserChange): Promise<void> {
  try {
    if (!(await storage.users.update(id, change))) throw new AppError('not_found');
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict' && error.params.field === 'username') {
      throw new AppError('username_taken', {}, { cause: error });
    }
    throw error;
  }
}

/**
 * Soft deletion (docs/rules/accounts.md#deactivation): the row stays for its logs and ledger. All credentials are revoked.
 */
export async function deactivateUser(storage: Storage, id: number, at: number): Promise<void> {
  await storage.transaction(async (inside) => {
    if (!(await inside.users.softDelete(id, at))) throw new AppError('not_found');
    await inside.tokens.disableByUser(id);
    await inside.sessions.deleteByUser(id);
    await inside.secondFactors.deleteByUser(id);
  });
}
