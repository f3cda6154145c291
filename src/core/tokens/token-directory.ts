/**
 * The callers that keys belong to, cached in memory with exact invalidation
 * (docs/rules/relay.md#key-cache): 0.1 µs on the hot path instead of two queries. It holds
 * identity, limits and settings, never balances.
 */

import { createHash } from 'node:crypto';
import type { Change } from '../cluster/changes.ts';
import { tokenFields } from '../entities/token.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { parseObject } from '../kernel/json.ts';
import { readWarningThreshold } from '../notices/notification-setting.ts';
import type { Storage, Token, User } from '../storage/storage.ts';
import { digestMark } from '../vocabulary/key-digests.ts';
import { tokenStatuses } from '../vocabulary/statuses.ts';
import { type AddressList, readAddressList } from './address-list.ts';

export interface Caller {
  readonly tokenId: number;
  readonly tokenName: string;
  readonly tokenStatus: number;
  /** Unix seconds, −1 never. */
  readonly expiredTime: number;
  readonly unlimited: boolean;
  /** Null: every model. */
  readonly modelLimits: ReadonlySet<string> | null;
  readonly modelLimitList: readonly string[];
  /** Null: every address. */
  readonly addresses: AddressList | null;
  /** '' = the user's own. */
  readonly tokenGroup: string;
  readonly userId: number;
  readonly username: string;
  readonly userGroup: string;
  readonly userStatus: number;
  readonly role: number;
  readonly deactivated: boolean;
  /** Whether the user accepts models without a price (user setting). */
  readonly acceptUnpriced: boolean;
  /**
   * The balance below which the user is warned, in quota (user setting); undefined: the site's own.
   */
  readonly warnBelow: number | undefined;
}

export interface TokenDirectory {
  /**
   * `key` without `sk-`. Undefined: no such token. Rejects with AppError token_changing where it
   * changes each time that it is read, and database_unavailable.
   */
  find(key: string): Caller | undefined | Promise<Caller | undefined>;
  forget(change: Change): void;
}

/** Most unknown keys remembered. Repeated requests with a wrong key then need no query. */
const unknownLimit = 10_000;
/** Most known keys cached; the oldest is dropped first. */
const knownLimit = 100_000;
/**
 * How often a caller is read whose token or user changes meanwhile, and the first pause between two
 * readings, in ms; it doubles.
 */
const mostReadings = 6;
const firstPause = 10;

function describeCaller(token: Token, user: User | null): Caller {
  const limits = token.modelLimits
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return {
    tokenId: token.id,
    tokenName: token.name,
    tokenStatus: token.status,
    expiredTime: token.expiredTime,
    unlimited: token.unlimitedQuota,
    modelLimits: token.modelLimitsEnabled ? new Set(limits) : null,
    modelLimitList: token.modelLimitsEnabled ? limits : [],
    addresses: readAddressList(token.allowIps),
    tokenGroup: token.group,
    ...describeOwner(token.userId, user),
  };
}

/** What is known of a user; null: deleted. */
function describeOwner(userId: number, user: User | null) {
  const setting = parseObject(user?.setting ?? '');
  return {
    userId,
    username: user?.username ?? '',
    userGroup: user?.group ?? '',
    userStatus: user?.status ?? 0,
    role: user?.role ?? 0,
    deactivated: user === null || user.deletedAt !== null,
    acceptUnpriced: setting?.['accept_unset_model_ratio_model'] === true,
    warnBelow: readWarningThreshold(setting),
  };
}

/**
 * A user who calls without a token: only the wallet pays, and nothing is limited. `tokenName`:
 * shown in logs.
 */
export function callerWithoutToken(user: User, tokenName: string): Caller {
  return {
    tokenId: 0,
    tokenName,
    tokenStatus: tokenStatuses.enabled,
    expiredTime: tokenFields.expired_time.never,
    unlimited: true,
    modelLimits: null,
    modelLimitList: [],
    addresses: null,
    tokenGroup: '',
    ...describeOwner(user.id, user),
  };
}

export function createTokenDirectory(
  storage: Pick<Storage, 'tokens' | 'users'>,
  clock: Pick<Clock, 'sleep'>,
): TokenDirectory {
  const known = new Map<string, Caller>();
  const unknown = new Set<string>();
  const loading = new Map<string, Promise<Caller | undefined>>();
  /** The changes that came during each reading under way. */
  const readings = new Set<Change[]>();

  const remember = (key: string, token: Token | null, user: User | null): Caller | undefined => {
    if (token === null) {
      if (unknown.size >= unknownLimit) unknown.clear();
      unknown.add(key);
      return undefined;
    }
    const caller = describeCaller(token, user);
    if (known.size >= knownLimit) known.delete(known.keys().next().value as string);
    known.set(key, caller);
    return caller;
  };

  /** Undefined: a change came meanwhile, so what was read may be out of date. */
  const read = async (
    key: string,
  ): Promise<{ readonly caller: Caller | undefined } | undefined> => {
    const changes: Change[] = [];
    readings.add(changes);
    try {
      const token = await findToken(storage.tokens, key);
      const user = token === null ? null : await storage.users.find(token.userId);
      // Nothing may come between the check and the memory.
      return changes.some((change) => concerns(change, token))
        ? undefined
        : { caller: remember(key, token, user) };
    } finally {
      readings.delete(changes);
    }
  };

  const load = async (key: string): Promise<Caller | undefined> => {
    for (let tries = 1; ; tries++) {
      const found = await read(key);
      if (found !== undefined) return found.caller;
      if (tries === mostReadings) throw new AppError('token_changing', { retryAfter: 1 });
      await clock.sleep(firstPause * 2 ** (tries - 1));
    }
  };

  return {
    find: (key) => {
      const caller = known.get(key);
      if (caller !== undefined) return caller;
      if (unknown.has(key)) return undefined;
      let promise = loading.get(key);
      if (promise === undefined) {
        promise = load(key).finally(() => loading.delete(key));
        loading.set(key, promise);
      }
      return promise;
    },
    forget: (change) => {
      const { kind, ids } = change;
      if (kind !== 'token' && kind !== 'user') return;
      for (const changes of readings) changes.push(change);
      if (kind === 'token') unknown.clear();
      if (ids.length === 0) return known.clear();
      const changed = new Set(ids);
      for (const [key, caller] of known) {
        if (changed.has(kind === 'token' ? caller.tokenId : caller.userId)) known.delete(key);
      }
    },
  };
}

/**
 * By the key, or by its digest where nothing else is known of it (docs/rules/import.md#litellm-keys).
 * A digest itself is no key: else who can read a database could call.
 */
async function findToken(
  tokens: Pick<Storage['tokens'], 'findByKeyHash' | 'hashKey'>,
  key: string,
): Promise<Token | null> {
  if (key.startsWith(digestMark)) return null;
  const digest = createHash('sha256').update(`sk-${key}`).digest('hex');
  return tokens.findByKeyHash(tokens.hashKey(key), tokens.hashKey(`${digestMark}${digest}`));
}

/** Whether a change may be about this token; null: about one that was not there yet. */
function concerns({ kind, ids }: Change, token: Token | null): boolean {
  if (token === null) return kind === 'token';
  return ids.length === 0 || ids.includes(kind === 'token' ? token.id : token.userId);
}
