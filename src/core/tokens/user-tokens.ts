import { describeChanges } from '../audit/changes.ts';
import type { Notes } from '../audit/commit.ts';
import { requireAllowed } from '../entities/require-allowed.ts';
import type { Actor } from '../kernel/actor.ts';
import { AppError } from '../kernel/errors.ts';
import type {
  Listing,
  PageRequest,
  Storage,
  Token,
  TokenFilter,
  User,
} from '../storage/storage.ts';
import type { TokenFields } from './token-fields.ts';
import type { TokenService } from './token-service.ts';

export interface OwnedToken {
  readonly token: Token;
  /** The owner's user name; '' if the account no longer exists. */
  readonly username: string;
}

/**
 * Administration of other users' tokens. The action `own-tokens` of user-policy.ts decides whose.
 */
export interface UserTokens {
  page(filter: TokenFilter, page: PageRequest): Promise<Listing<OwnedToken>>;
  /** Like all following methods, throws AppError not_found, user_update_forbidden. */
  get(actor: Actor, id: number): Promise<OwnedToken>;
  /** `owner`: a user name or an id; '' and undefined: the actor. */
  create(actor: Actor, owner: string | undefined, fields: TokenFields): Promise<Token>;
  /** Absent fields stay as they are. */
  update(actor: Actor, id: number, change: TokenEdit): Promise<OwnedToken>;
  remove(actor: Actor, id: number): Promise<void>;
}

export interface UserTokensDeps {
  readonly storage: Pick<Storage, 'tokens' | 'users'>;
  readonly tokens: TokenService;
}

export function createUserTokens({ storage, tokens }: UserTokensDeps): UserTokens {
  const findOwner = async (id: number): Promise<User> => {
    const user = await storage.users.find(id);
    if (user === null) throw new AppError('not_found');
    return user;
  };

  /** A command that works on the data folder acts as root, who may not be there yet. */
  const findSelf = async ({ id }: Actor): Promise<User> => {
    const user = await storage.users.find(id);
    if (user === null) throw new AppError('not_set_up');
    return user;
  };

  /**
   * A number is an id, although a name may consist of digits: who registers does not take the place
   * of a user by the name.
   */
  const findByNameOrId = async (text: string): Promise<User> => {
    const user = await (/^\d{1,15}$/.test(text)
      ? storage.users.find(Number(text))
      : storage.users.findByUsername(text));
    if (user === null || user.deletedAt !== null) throw new AppError('not_found');
    return user;
  };

  const find = async (actor: Actor, id: number): Promise<{ token: Token; owner: User }> => {
    const token = await tokens.find(id);
    const owner = await findOwner(token.userId);
    requireAllowed('own-tokens', { actor, target: owner });
    return { token, owner };
  };

  return {
    page: async (filter, page) => {
      const { items, total } = await storage.tokens.page(filter, page);
      const owners = await storage.users.findMany([...new Set(items.map((token) => token.userId))]);
      const names = new Map(owners.map((owner) => [owner.id, owner.username]));
      return {
        items: items.map((token) => ({ token, username: names.get(token.userId) ?? '' })),
        total,
      };
    },
    get: async (actor, id) => {
      const { token, owner } = await find(actor, id);
      return { token, username: owner.username };
    },
    create: async (actor, name, fields) => {
      const text = name?.trim() ?? '';
      const owner = text === '' ? await findSelf(actor) : await findByNameOrId(text);
      requireAllowed('own-tokens', { actor, target: owner });
      return tokens.create(owner.id, fields, undefined, (notes, token) =>
        notes.record(actor, 'token.create', token.id, { owner: owner.username, name: token.name }),
      );
    },
    update: async (actor, id, { status, ...fields }) => {
      const { token, owner } = await find(actor, id);
      const patch = dropAbsent(fields);
      const note = (change: TokenEdit) => (notes: Notes) => {
        const changes = describeChanges<TokenEdit>(token, change);
        notes.record(actor, 'token.update', id, {
          owner: owner.username,
          name: token.name,
          ...changes,
        });
      };
      const edited =
        Object.keys(patch).length > 0 ? await tokens.update(token, patch, note(patch)) : token;
      const changed =
        status === undefined ? edited : await tokens.setStatus(edited, status, note({ status }));
      return { token: changed, username: owner.username };
    },
    remove: async (actor, id) => {
      const { token, owner } = await find(actor, id);
      await tokens.remove(token, (notes) =>
        notes.record(actor, 'token.remove', id, { owner: owner.username, name: token.name }),
      );
    },
  };
}

type TokenEdit = Partial<TokenFields> & { readonly status?: number };

function dropAbsent<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
