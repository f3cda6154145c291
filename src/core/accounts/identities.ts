import type { Storage, User } from '../storage/storage.ts';

/** Provider → subject of one user. */
export type IdentitiesOfUser = Readonly<Record<string, string>>;

/** Users with the accounts at third parties by which they sign in. */
export interface IdentityDirectory {
  ofUsers(users: readonly User[]): Promise<ReadonlyMap<number, IdentitiesOfUser>>;
}

export function createIdentityDirectory({ userIdentities }: Pick<Storage, 'userIdentities'>): IdentityDirectory {
  return {
    ofUsers: async (users) => {
      const found = new Map<number, Record<string, string>>();
      for (const { userId, provider, subject } of await userIdentities.listByUsers(users.map(({ id }) => id))) {
        found.set(userId, { ...found.get(userId), [provider]: subject });
      }
      return found;
    },
  };
}
