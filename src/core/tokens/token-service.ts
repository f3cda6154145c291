import type { Commit, Notes } from '../audit/commit.ts';
import type { Ledger } from '../billing/ledger.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Changes } from '../cluster/changes.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import { toQuota } from '../kernel/quota.ts';
import { Secret } from '../kernel/secret.ts';
import type {
  Listing,
  NewToken,
  PageRequest,
  Storage,
  Token,
  TokenChange,
  TokenFilter,
} from '../storage/storage.ts';
import { tokenStatuses } from '../vocabulary/statuses.ts';
import { type CheckedTokenFields, checkTokenFields, type TokenFields } from './token-fields.ts';

export type { Token };

export interface TokenDeps {
  readonly storage: Pick<Storage, 'tokens' | 'users'>;
  readonly ledger: Ledger;
  readonly catalog: Pick<Catalog, 'usableGroups'>;
  readonly commit: Commit;
  readonly changes: Pick<Changes, 'announce'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly quotaPerUnit: () => number;
}

/**
 * sk- keys and their limits (docs/rules/accounts.md#token-keys). AppError not_found for a missing
 * id and for another user's.
 */
export interface TokenService {
  page(
    userId: number,
    page: PageRequest,
    search?: Omit<TokenFilter, 'userId'>,
  ): Promise<Listing<Token>>;
  get(userId: number, id: number): Promise<Token>;
  /**
   * `key`: a key to use instead of a generated one (first setup only). Throws AppError
   * too_many_tokens.
   */
  create(userId: number, fields: TokenFields, key?: string, note?: NoteToken): Promise<Token>;
  /**
   * Creates several tokens with the same fields, all or none. All names but the first get a random
   * suffix.
   */
  createMany(userId: number, fields: TokenFields, count: number): Promise<readonly Token[]>;
  update(token: Token, fields: Partial<TokenFields>, note?: NoteToken): Promise<Token>;
  /** `status` is 1 or 2. An expired or exhausted token cannot be enabled. */
  setStatus(token: Token, status: number, note?: NoteToken): Promise<Token>;
  /** {@link setStatus} for several of a user's tokens, all or none. Returns how many. */
  setStatusMany(userId: number, ids: readonly number[], status: number): Promise<number>;
  remove(token: Token, note?: NoteToken): Promise<void>;
  /** Removes those ids that are the user's tokens. Returns how many. */
  removeMany(userId: number, ids: readonly number[]): Promise<number>;
  /** Finds a token of any user. The caller checks the policy. */
  find(id: number): Promise<Token>;
  pageAll(filter: TokenFilter, page: PageRequest): Promise<Listing<Token>>;
}

/** What else belongs to the change of a token, such as an entry of the audit log. */
export type NoteToken = (notes: Notes, token: Token) => void;

const noNote: NoteToken = () => {};
const keyCharacters = 48;
const maxPerUser = 1000;
const suffixCharacters = 6;

export function createTokenService(deps: TokenDeps): TokenService {
  const { storage, ledger, commit, clock } = deps;
  const { tokens } = storage;

  const found = (token: Token | null): Token => {
    if (token === null) throw new AppError('not_found');
    return token;
  };

  const groupsOf = async (userId: number): Promise<ReadonlySet<string>> => {
    const user = await storage.users.find(userId);
    if (user === null) throw new AppError('not_found');
    return new Set(Object.keys(deps.catalog.usableGroups(user.group)));
  };

  const check = async (userId: number, fields: Partial<TokenFields>, current?: Token) =>
    checkTokenFields(fields, {
      now: nowSeconds(clock),
      groups: fields.group ? await groupsOf(userId) : new Set(),
      quotaPerUnit: deps.quotaPerUnit(),
      current,
    });

  /** The columns that `count` new tokens share. Throws AppError too_many_tokens. */
  const newRow = async (
    userId: number,
    fields: TokenFields,
    count: number,
  ): Promise<Omit<NewToken, 'key'>> => {
    const checked = (await check(userId, fields)) as CheckedTokenFields; // no field is absent here
    if ((await tokens.countByUser(userId)) + count > maxPerUser)
      throw new AppError('too_many_tokens', { max: maxPerUser });
    const now = nowSeconds(clock);
    return {
      userId,
      status: tokenStatuses.enabled,
      createdTime: now,
      accessedTime: now,
      ...checked,
    };
  };
  const newKey = (own?: string) => new Secret(own ?? deps.ids.alphanumeric(keyCharacters));

  const requireStatus = (token: Token, status: number): void =>
    requireTokenStatus(token, status, nowSeconds(clock));

  return {
    page: (userId, page, search) => tokens.pageByUser(userId, page, search),
    get: async (userId, id) => found(await tokens.findOfUser(id, userId)),
    find: async (id) => found(await tokens.find(id)),
    pageAll: (filter, page) => tokens.page(filter, page),
    create: async (userId, fields, key, note = noNote) => {
      const row = await newRow(userId, fields, 1);
      return commit(async (inside, notes) => {
        const token = found(
          await inside.tokens.find(await inside.tokens.insert({ ...row, key: newKey(key) })),
        );
        note(notes, token);
        notes.changed('token', token.id);
        return token;
      });
    },
    createMany: async (userId, fields, count) => {
      const row = await newRow(userId, fields, count);
      const names = Array.from({ length: count }, (_, index) =>
        index === 0 ? row.name : `${row.name}-${deps.ids.alphanumeric(suffixCharacters)}`,
      );
      return commit(async (inside, notes) => {
        const ids = await inside.tokens.insertMany(
          names.map((name) => ({ ...row, name, key: newKey() })),
        );
        notes.changed('token', ids);
        const created = new Map(
          (await inside.tokens.findManyOfUser(ids, userId)).map((token) => [token.id, token]),
        );
        return ids.flatMap((id) => created.get(id) ?? []);
      });
    },
    update: async (token, fields, note = noNote) => {
      const { remainQuota, ...checked } = await check(token.userId, fields, token);
      const unlimitedQuota = checked.unlimitedQuota ?? token.unlimitedQuota;
      // the ledger writes it together with the quota
      const { unlimitedQuota: _, ...columns } = checked;
      const limits: Limits = {
        expiredTime: checked.expiredTime ?? token.expiredTime,
        remainQuota: remainQuota ?? token.remainQuota,
        unlimitedQuota,
      };
      const change: TokenChange = { ...columns, ...revive(token, limits, nowSeconds(clock)) };
      const written = await commit(async (inside, notes) => {
        if (!(await inside.tokens.update(token.id, change))) throw new AppError('not_found');
        note(notes, token);
        notes.changed('token', token.id);
        return found(await inside.tokens.find(token.id));
      });
      // Only a changed number is written: requests may have spent quota while the form was open,
      // and may be spending now.
      const allowance =
        remainQuota !== undefined && remainQuota !== token.remainQuota
          ? toQuota(remainQuota)
          : null;
      if (allowance === null && unlimitedQuota === token.unlimitedQuota) return written;
      await ledger.setTokenAllowance(token.id, allowance, unlimitedQuota);
      await deps.changes.announce('token', token.id);
      return { ...written, unlimitedQuota, ...(allowance !== null && { remainQuota: allowance }) };
    },
    setStatus: (token, status, note = noNote) =>
      commit(async (inside, notes) => {
        requireStatus(token, status);
        if (
          token.status !== status &&
          !(await inside.tokens.setStatus(token.id, token.status, status))
        )
          throw new AppError('conflict');
        note(notes, token);
        notes.changed('token', token.id);
        return found(await inside.tokens.find(token.id));
      }),
    setStatusMany: (userId, ids, status) =>
      commit(async (inside, notes) => {
        const own = await inside.tokens.findManyOfUser(ids, userId);
        for (const token of own) requireStatus(token, status);
        await inside.tokens.setStatusMany(own, status);
        const changed = own.map(({ id }) => id);
        if (changed.length > 0) notes.changed('token', changed);
        return own.length;
      }),
    removeMany: (userId, ids) =>
      commit(async (inside, notes) => {
        const count = await inside.tokens.softDeleteMany(ids, userId, nowSeconds(clock));
        if (count > 0) notes.changed('token', ids);
        return count;
      }),
    remove: (token, note = noNote) =>
      commit(async (inside, notes) => {
        if (!(await inside.tokens.softDelete(token.id, nowSeconds(clock))))
          throw new AppError('not_found');
        note(notes, token);
        notes.changed('token', token.id);
      }),
  };
}

/**
 * Throws unless the status is 1 or 2, and for 1 unless the token is neither expired nor exhausted.
 */
export function requireTokenStatus(token: Token, status: number, now: number): void {
  if (status !== tokenStatuses.enabled && status !== tokenStatuses.disabled)
    throw new AppError('invalid_parameter', { field: 'status' });
  if (status === tokenStatuses.disabled) return;
  if (token.status === tokenStatuses.expired && isExpired(token, now))
    throw new AppError('token_still_expired');
  if (token.status === tokenStatuses.exhausted && isExhausted(token))
    throw new AppError('token_still_exhausted');
}

type Limits = Pick<TokenFields, 'expiredTime' | 'remainQuota' | 'unlimitedQuota'>;

function isExpired({ expiredTime }: Limits, now: number): boolean {
  return expiredTime !== -1 && expiredTime <= now;
}
function isExhausted({ remainQuota, unlimitedQuota }: Limits): boolean {
  return !unlimitedQuota && remainQuota <= 0;
}

/**
 * An edit that removes the cause of "expired" or "exhausted" enables the token again
 * (docs/rules/accounts.md#token-statuses).
 */
function revive(before: Token, after: Limits, now: number): Pick<TokenChange, 'status'> {
  const stopped =
    before.status === tokenStatuses.expired || before.status === tokenStatuses.exhausted;
  return stopped && !isExpired(after, now) && !isExhausted(after)
    ? { status: tokenStatuses.enabled }
    : {};
}
