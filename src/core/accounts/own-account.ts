import type { Commit } from '../audit/commit.ts';
import { requireAllowed } from '../entities/require-allowed.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import { parseObject } from '../kernel/json.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage, User, UserChange } from '../storage/storage.ts';
import type { AccountGate } from './gate/account-gate.ts';
import type { Caller } from './gate/caller.ts';
import { passwordChange } from './password.ts';
import { hashSecret } from './sessions.ts';
import { checkProfileEdits, type ProfileEdits } from './user-fields.ts';

export type { User };

export interface OwnAccountDeps {
  readonly storage: Storage;
  readonly options: Pick<OptionStore, 'get'>;
  readonly gate: AccountGate;
  readonly commit: Commit;
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
  /**
   * Empty values mean unchanged. A new password ends all sessions but the caller's, and the system
   * access token. Throws what {@link AccountGate.change} throws.
   */
  update(caller: Caller, change: ProfileChange): Promise<void>;
  /**
   * Deactivates the account: disables its tokens, ends its sessions and revokes the system access
   * token. Throws AppError root_cannot_be_deleted, and what {@link AccountGate.enter} throws.
   */
  remove(caller: Caller): Promise<void>;
  /** Creates a system access token and revokes the previous one. It cannot be read again later. */
  makeSystemToken(caller: Caller): Promise<string>;
  /** Whether this caller accepts models without a price; visitors do not. */
  consentOf(actor: Actor | null): Promise<{ readonly acceptUnpriced: boolean }>;
  /** Which credentials the account has. */
  credentials(
    userId: number,
  ): Promise<{ readonly hasPassword: boolean; readonly hasSystemToken: boolean }>;
}

const systemTokenLength = 32;

export function createOwnAccount(deps: OwnAccountDeps): OwnAccount {
  const { storage, commit } = deps;

  const get = async (userId: number): Promise<User> => {
    const user = await storage.users.find(userId);
    if (user === null) throw new AppError('not_found');
    return user;
  };

  /** The old password, where it proves who changes it; undefined: the session has to. */
  const oldPassword = async (userId: number, given = ''): Promise<string | undefined> => {
    if (given !== '') return given;
    if (!deps.options.get('RequireOriginalPassword') || (await get(userId)).passwordHash.isEmpty)
      return undefined;
    throw new AppError('original_password_wrong');
  };

  return {
    consentOf: async (actor) => {
      const user = actor === null ? null : await storage.users.find(actor.id);
      const setting = parseObject(user?.setting ?? '');
      return { acceptUnpriced: setting?.['accept_unset_model_ratio_model'] === true };
    },
    get,
    update: async (caller, change) => {
      const { id } = caller.actor;
      const user = await get(id);
      const { password, ...profile } = checkProfileEdits(change, user);
      if (password === undefined) {
        if (Object.keys(profile).length === 0) return;
        return commit(async (inside, notes) => {
          await updateUser(inside, id, profile);
          notes.changed('user', id);
        });
      }
      const proof =
        caller.proof === 'operator' ? undefined : await oldPassword(id, change.originalPassword);
      const passage = await deps.gate.enter(caller, 'password', proof);
      const next = { ...profile, ...(await passwordChange(password, deps.ids)) };
      await deps.gate.change(passage, {
        userId: id,
        action: 'user.password',
        apply: (inside) => updateUser(inside, id, next),
      });
    },
    remove: async (caller) => {
      const { actor } = caller;
      requireAllowed('remove-self', { actor });
      await deps.gate.change(await deps.gate.enter(caller, 'account'), {
        userId: actor.id,
        action: 'user.remove_self',
        apply: async (inside, notes) => {
          await deactivateUser(inside, actor.id, nowSeconds(deps.clock));
          notes.after('the deletion of files', () => deps.deleteFiles(actor.id));
        },
      });
    },
    makeSystemToken: async (caller) => {
      const token = deps.ids.alphanumeric(systemTokenLength);
      const { id } = caller.actor;
      await deps.gate.change(await deps.gate.enter(caller, 'system_token'), {
        userId: id,
        action: 'user.system_token',
        apply: (inside) => updateUser(inside, id, { accessTokenHash: hashSecret(token) }),
      });
      return token;
    },
    credentials: async (userId) => {
      const user = await get(userId);
      return {
        hasPassword: user.passwordHash.reveal() !== '',
        hasSystemToken: user.accessTokenHash !== null,
      };
    },
  };
}

/** Throws AppError not_found, and username_taken if the name belongs to another user. */
export async function updateUser(
  storage: Pick<Storage, 'users'>,
  id: number,
  change: UserChange,
): Promise<void> {
  try {
    if (!(await storage.users.update(id, change))) throw new AppError('not_found');
  } catch (error) {
    if (
      error instanceof AppError &&
      error.code === 'conflict' &&
      error.params.field === 'username'
    ) {
      throw new AppError('username_taken', {}, { cause: error });
    }
    throw error;
  }
}

/**
 * Soft deletion (docs/rules/accounts.md#deactivation): the row stays for its logs and ledger. All
 * credentials are revoked.
 */
export async function deactivateUser(storage: Storage, id: number, at: number): Promise<void> {
  await storage.transaction(async (inside) => {
    if (!(await inside.users.softDelete(id, at))) throw new AppError('not_found');
    await inside.tokens.disableByUser(id);
    await inside.sessions.deleteByUser(id);
    await inside.secondFactors.deleteByUser(id);
  });
}
