import type { Commit } from '../audit/commit.ts';
import { requireAllowed } from '../entities/require-allowed.ts';
import type { Actor } from '../kernel/actor.ts';
import { AppError } from '../kernel/errors.ts';
import type { Storage } from '../storage/storage.ts';
import type { ListedSession, Sessions } from './sessions.ts';

/** Where users are signed in, and ending it (docs/rules/accounts.md#signing-out). */
export interface SignOut {
  list(userId: number): Promise<readonly ListedSession[]>;
  /** Throws AppError not_found if the session is not one of the actor's. */
  endOne(actor: Actor, id: string): Promise<void>;
  /** Ends the actor's sessions except the given one. Returns their number. */
  endOwn(actor: Actor, exceptHash?: string): Promise<number>;
  /** Ends all sessions of a user. Throws AppError not_found, user_update_forbidden. */
  endAllOf(actor: Actor, userId: number): Promise<number>;
}

export interface SignOutDeps {
  readonly storage: Pick<Storage, 'users'>;
  readonly sessions: Sessions;
  readonly commit: Commit;
}

export function createSignOut({ storage, sessions, commit }: SignOutDeps): SignOut {
  const endAll = (
    actor: Actor,
    { id: userId, username }: Pick<Actor, 'id' | 'username'>,
    exceptHash?: string,
  ): Promise<number> =>
    commit(async (inside, notes) => {
      const count = await inside.sessions.deleteByUser(userId, exceptHash);
      notes.record(actor, 'user.sign_out', userId, { username, sessions: count });
      return count;
    });
  return {
    list: (userId) => sessions.list(userId),
    endOne: async (actor, id) => {
      const found = (await sessions.list(actor.id)).find((session) => session.id === id);
      await commit(async (inside, notes) => {
        if (found === undefined || !(await inside.sessions.delete(found.idHash)))
          throw new AppError('not_found');
        notes.record(actor, 'user.sign_out', actor.id, {
          username: actor.username,
          sessions: 1,
        });
      });
    },
    endOwn: (actor, exceptHash) => endAll(actor, actor, exceptHash),
    endAllOf: async (actor, userId) => {
      const target = await storage.users.find(userId);
      if (target === null) throw new AppError('not_found');
      if (userId !== actor.id) requireAllowed('update', { actor, target });
      return endAll(actor, target);
    },
  };
}
