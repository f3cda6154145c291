import { Secret } from '../../src/core/kernel/secret.ts';
import type { Storage } from '../../src/core/storage/storage.ts';

/** The storage, new and empty, with the users 1, 2 and 3. */
export async function withUsers(storage: Storage): Promise<Storage> {
  for (const username of ['ann', 'ben', 'cleo'])
    await storage.users.insert({
      username,
      passwordHash: new Secret(''),
      role: 1,
      status: 1,
      group: 'default',
      createdAt: 1,
    });
  return storage;
}
