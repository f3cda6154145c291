/** Users in memory, and what a change of them records, announces and sets off. */
import type { AccountGate, WayChange } from '../../../src/core/accounts/gate/account-gate.ts';
import type { Caller } from '../../../src/core/accounts/gate/caller.ts';
import type { Commit, Notes } from '../../../src/core/audit/commit.ts';
import type { Actor } from '../../../src/core/kernel/actor.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import type { Storage, User } from '../../../src/core/storage/storage.ts';

export const actorOf = (id: number, role: number): Actor => ({
  id,
  username: `name${id}`,
  role,
  group: 'default',
  ip: '192.0.2.1',
});

export const userOf = (id: number, more: Partial<User> = {}): User =>
  ({
    id,
    username: `name${id}`,
    displayName: `name${id}`,
    role: 1,
    status: 1,
    group: 'default',
    setting: '',
    affCode: null,
    passwordHash: new Secret(''),
    accessTokenHash: null,
    deletedAt: null,
    ...more,
  }) as User;

/** Ids that are always the same. */
export const ids = {
  hex: (bytes: number) => '0'.repeat(2 * bytes),
  alphanumeric: (length: number) => 'x'.repeat(length),
  uuid: () => 'uuid',
} as never;

export function openStubs(...users: readonly User[]) {
  const rows = new Map(users.map((user) => [user.id, user]));
  /** Calls that changed rows, audit entries, announcements, and work after the commit. */
  const seen = {
    calls: [] as unknown[][],
    entries: [] as unknown[][],
    announced: [] as unknown[][],
    followed: [] as string[],
    entered: [] as unknown[][],
    deletedFiles: [] as number[],
  };
  const noted =
    (name: string, result: unknown = undefined) =>
    async (...args: unknown[]) => {
      seen.calls.push([name, ...args]);
      return result;
    };
  const storage = {
    users: {
      find: async (id: number) => rows.get(id) ?? null,
      update: async (id: number, change: Partial<User>) => {
        seen.calls.push(['update', id, change]);
        const row = rows.get(id);
        if (row !== undefined) rows.set(id, { ...row, ...change });
        return row !== undefined;
      },
      page: async ({ role }: { role?: number }) => ({
        items: [...rows.values()].filter((user) => user.role === role),
      }),
      setRole: noted('setRole', true),
      setStatus: noted('setStatus', true),
      softDelete: async (id: number, at: number) => {
        seen.calls.push(['softDelete', id, at]);
        return rows.has(id);
      },
      delete: noted('delete'),
    },
    tokens: { disableByUser: noted('disable tokens'), deleteByUser: noted('delete tokens') },
    sessions: { deleteByUser: noted('end sessions') },
    secondFactors: { deleteByUser: noted('delete factors') },
    userIdentities: { deleteByUser: noted('delete identities') },
    auditLogs: { insert: async (entry: unknown[]) => void seen.entries.push(entry) },
    transaction: async (work: (inside: unknown) => unknown) => work(storage),
  };
  const commit: Commit = async (work) => {
    const followers: [string, () => unknown][] = [];
    const notes: Notes = {
      record: (...entry) => void seen.entries.push(entry),
      changed: (...change) => void seen.announced.push(change),
      after: (what, run) => void followers.push([what, run]),
    };
    const result = await work(storage as unknown as Storage, notes);
    for (const [what, run] of followers) {
      seen.followed.push(what);
      await run();
    }
    return result;
  };
  const gate = {
    enter: async (...entry: unknown[]) => {
      seen.entered.push(entry.slice(1));
      return { caller: entry[0] } as never;
    },
    change: async ({ caller }: { caller: Caller }, change: WayChange<unknown>) =>
      commit(async (inside, notes) => {
        notes.record(caller.actor, change.action, change.userId, change.detail);
        return change.apply(inside, notes);
      }),
  } as unknown as AccountGate;
  return {
    seen,
    rows,
    common: {
      storage: storage as unknown as Storage,
      commit,
      gate,
      ids,
      clock: { now: () => 9000, sleep: async () => {} },
      deleteFiles: async (id: number) => void seen.deletedFiles.push(id),
    },
  };
}
