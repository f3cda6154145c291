import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Storage } from '../storage/storage.ts';
import type { CreateAccount, NewAccount } from './create-account.ts';

/** How often another name is tried, and the letters that are then appended. */
const attempts = 5;
const suffixLength = 4;

/**
 * Creates an account whose user did not choose a name: the prefix and the next id, followed by
 * random letters where that name is taken. The display name is the same unless given. Throws what
 * `createAccount` throws.
 */
export async function createWithGeneratedName(
  deps: {
    readonly storage: Pick<Storage, 'users'>;
    readonly createAccount: CreateAccount;
    readonly ids: Pick<Ids, 'alphanumeric'>;
  },
  prefix: string,
  account: Omit<NewAccount, 'username'>,
): Promise<{ readonly id: number; readonly username: string }> {
  const plain = `${prefix}${(await deps.storage.users.highestId()) + 1}`;
  for (let attempt = 1; ; attempt += 1) {
    const username = attempt === 1 ? plain : `${plain}${deps.ids.alphanumeric(suffixLength)}`;
    try {
      return {
        id: await deps.createAccount({ displayName: username, ...account, username }),
        username,
      };
    } catch (error) {
      const isTaken = error instanceof AppError && error.code === 'username_taken';
      if (!isTaken || attempt === attempts) throw error;
    }
  }
}
