import { findProblem } from '../../entities/limits.ts';
import { userFields } from '../../entities/user.ts';
import { translate } from '../../i18n/translate.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Ids } from '../../kernel/ids.ts';
import { Secret } from '../../kernel/secret.ts';
import type { OptionStore } from '../../site/option-store.ts';
import type { Storage, User } from '../../storage/storage.ts';
import type { CreateAccount, NewAccount } from '../create-account.ts';
import type { Newcomer } from './sign-in-method.ts';

export interface JoinDeps {
  readonly storage: Pick<Storage, 'users'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly createAccount: CreateAccount;
  readonly createFirstToken: (userId: number, username: string) => Promise<void>;
  readonly ids: Pick<Ids, 'alphanumeric'>;
}

/**
 * Creates the account of somebody who signs in for the first time
 * (docs/rules/accounts.md#first-sign-in). `attach` runs in the transaction that creates it. Throws
 * AppError registration_disabled, and what `attach` throws.
 */
export type Join = (
  newcomer: Newcomer,
  from: Pick<NewAccount, 'identity'> & { readonly affCode: string; readonly label: string },
  attach: NonNullable<NewAccount['attach']>,
) => Promise<User>;

export function bindJoin({
  storage,
  options,
  createAccount,
  createFirstToken,
  ids,
}: JoinDeps): Join {
  /**
   * The provider's name where it is valid, then the prefix with the next id, then with letters as
   * well.
   */
  const namesFor = async ({ prefix, offeredName }: Newcomer): Promise<readonly string[]> => {
    const numbered = `${prefix}${(await storage.users.highestId()) + 1}`;
    const withLetters = [3, 5, 8].map((length) => `${prefix}${ids.alphanumeric(length)}`);
    const isValid =
      offeredName !== undefined && findProblem(userFields.username, offeredName) === undefined;
    return [...(isValid ? [offeredName] : []), numbered, ...withLetters];
  };

  /** Drops what is taken: a name for the next one, an address for none. */
  const createWithFreeName = async (
    account: Omit<NewAccount, 'username'>,
    names: readonly string[],
  ): Promise<User> => {
    const [username = '', ...others] = names;
    try {
      const id = await createAccount({ ...account, username });
      const user = await storage.users.find(id);
      if (user !== null) return user;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'email_taken' && account.email !== undefined) {
        const { email: _email, emailVerified: _verified, ...rest } = account;
        return createWithFreeName(rest, names);
      }
      if (error.code !== 'username_taken' || others.length === 0) throw error;
      return createWithFreeName(account, others);
    }
    throw new AppError('not_found');
  };

  return async (newcomer, { affCode, label, identity }, attach) => {
    if (!options.get('RegisterEnabled') || options.get('SelfUseModeEnabled'))
      throw new AppError('registration_disabled');
    const user = await createWithFreeName(
      {
        passwordHash: new Secret(''),
        role: userFields.role.default,
        displayName: displayNameOf(
          newcomer,
          translate(options.get('SiteLanguage'), 'account.of_provider', { provider: label }),
        ),
        group: userFields.group.default,
        affCode,
        ...(identity && { identity }),
        ...(newcomer.email !== undefined && { email: newcomer.email, emailVerified: true }),
        attach,
      },
      await namesFor(newcomer),
    );
    await createFirstToken(user.id, user.username);
    return user;
  };
}

/** Providers allow longer names than the field has room for. */
function displayNameOf({ displayName }: Newcomer, fallback: string): string {
  const { max } = userFields.display_name.limits;
  const cut = (text: string) => [...text.trim()].slice(0, max).join('').trim();
  return cut(displayName) || cut(fallback);
}
