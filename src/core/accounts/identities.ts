import type { Storage, User } from '../storage/storage.ts';

/** Provider → the user's subject there. */
export type IdentitiesOfUser = Readonly<Record<string, string>>;

/** The third-party accounts with which users sign in. */
export interface IdentityDirectory {
  ofUsers(users: readonly User[]): Promise<ReadonlyMap<number, IdentitiesOfUser>>;
}

export function createIdentityDirectory({
  userIdentities,
}: Pick<Storage, 'userIdentities'>): IdentityDirectory {
  return {
    ofUsers: async (users) => {
      const found = new Map<number, Record<string, string>>();
      for (const { userId, provider, subject } of await userIdentities.listByUsers(
        users.map(({ id }) => id),
      )) {
        found.set(userId, { ...found.get(userId), [provider]: subject });
      }
      return found;
    },
  };
}
