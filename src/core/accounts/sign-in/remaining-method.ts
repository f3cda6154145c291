import { AppError } from '../../kernel/errors.ts';
import type { OptionStore } from '../../site/option-store.ts';
import type { Storage } from '../../storage/storage.ts';
import { userStatuses } from '../../vocabulary/statuses.ts';
import type { SignInMethod } from './sign-in-method.ts';

/**
 * Removes a way to sign in, inside a transaction. Removals by the same user wait for each other, so
 * that each counts what is left. Throws AppError last_sign_in_method if the user could not sign in
 * any more, not_found for a user who is gone, and what `remove` throws
 * (docs/rules/accounts.md#bindings).
 */
export type RemoveMethod = (
  inside: Storage,
  userId: number,
  remove: () => Promise<void>,
) => Promise<void>;

export function bindRemoveMethod(
  { options }: { readonly options: Pick<OptionStore, 'get'> },
  methods: () => readonly SignInMethod[],
): RemoveMethod {
  return async (inside, userId, remove) => {
    await lockUser(inside, userId);
    await remove();
    const user = await inside.users.find(userId);
    if (user === null) throw new AppError('not_found');
    const rows = await inside.userIdentities.listByUsers([userId]);
    const left = Object.fromEntries(rows.map(({ provider, subject }) => [provider, subject]));
    const isOpen = methods().some(
      (method) => method.isEnabled(options) && method.isOpenTo(user, left),
    );
    if (!isOpen) throw new AppError('last_sign_in_method');
  };
}

/**
 * Makes concurrent changes of one user's ways to sign in wait for each other. Throws AppError
 * not_found.
 */
export async function lockUser(inside: Storage, userId: number): Promise<void> {
  if (!(await inside.users.setStatus(userId, userStatuses.active, userStatuses.active)))
    throw new AppError('not_found');
}
