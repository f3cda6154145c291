/**
 * The ledger as one would do it by hand: item after item on plain records. What the engines write
 * in batches must come to the same.
 */
import type { Guard } from '../../../src/core/storage/ledger/guards.ts';
import type { Settlement } from '../../../src/core/storage/ledger/settlement.ts';

export interface ModelUser {
  quota: number;
  usedQuota: number;
  requestCount: number;
}
export interface ModelToken {
  remainQuota: number;
  unlimitedQuota: boolean;
  usedQuota: number;
  accessedTime: number;
}
export interface ModelPosting {
  userId: number;
  tokenId: number | null;
  kind: string;
  amount: number;
  balanceAfter: number;
  reference: string | null;
  createdAt: number;
}

export type ModelResult = 'written' | 'skipped' | 'refused';

export class LedgerModel {
  readonly users = new Map<number, ModelUser>();
  readonly tokens = new Map<number, ModelToken>();
  readonly channels = new Map<number, number>();
  readonly postings: ModelPosting[] = [];
  /** Request id, whether a posting is linked, and the debt. */
  readonly logs: { requestId: string; posted: boolean; debt: number }[] = [];
  /** `count`, `quota` and `tokenUsed` by user, name, model and hour. */
  readonly rollups = new Map<string, { count: number; quota: number; tokenUsed: number }>();
  /** State of guarded rows by `table id`. */
  readonly states = new Map<string, number | string>();
  /** Balances of users that do not exist: their charges are posted, too. */
  readonly closed = new Map<number, ModelUser>();
  readonly #references = new Set<string>();

  /** `poisoned`: the item is known to be at fault by its own data. */
  apply(item: Settlement, poisoned: boolean): ModelResult {
    if (poisoned) return 'refused';
    if (item.kind === 'charge') return this.#charge(item);
    if (item.kind === 'posting') return this.#post(item);
    if (item.kind === 'refund') return this.#refund(item);
    if (item.kind === 'release') return 'written';
    const token = this.tokens.get(item.tokenId);
    if (token === undefined) return 'skipped';
    token.remainQuota = item.remainQuota ?? token.remainQuota;
    token.unlimitedQuota = item.unlimited;
    return 'written';
  }

  #charge(item: Extract<Settlement, { kind: 'charge' }>): ModelResult {
    const { userId, tokenId, channelId, amount, requestId, at, log, rollup, guard } = item;
    if (guard !== undefined && !this.#pass(guard)) return 'skipped';
    const user = this.users.get(userId) ??
      this.closed.get(userId) ?? { quota: 0, usedQuota: 0, requestCount: 0 };
    if (!this.users.has(userId)) this.closed.set(userId, user);
    const token = this.tokens.get(tokenId);
    const posted = amount > 0;
    const before = user.quota;
    if (posted) {
      this.#add(user, {
        userId,
        tokenId: tokenId === 0 ? null : tokenId,
        kind: 'charge',
        amount: -amount,
        reference: requestId,
        createdAt: at,
      });
      user.usedQuota += amount;
      user.requestCount += 1;
      if (token !== undefined) {
        token.remainQuota -= amount;
        token.usedQuota += amount;
        token.accessedTime = at;
      }
      if (channelId !== 0)
        this.channels.set(channelId, (this.channels.get(channelId) ?? 0) + amount);
    }
    if (log !== null)
      this.logs.push({
        requestId,
        posted,
        debt: posted ? debtAt(before - amount) - debtAt(before) : 0,
      });
    if (rollup !== null) {
      const key = [userId, rollup.username, rollup.modelName, rollup.hour].join(' ');
      const { count, quota, tokenUsed } = this.rollups.get(key) ?? {
        count: 0,
        quota: 0,
        tokenUsed: 0,
      };
      this.rollups.set(key, {
        count: count + 1,
        quota: quota + amount,
        tokenUsed: tokenUsed + rollup.tokens,
      });
    }
    return 'written';
  }

  #post(item: Extract<Settlement, { kind: 'posting' }>): ModelResult {
    const { userId, posting, amount, reference, at, guard } = item;
    const user = this.users.get(userId);
    if (user === undefined) return 'skipped';
    const key = `${posting} ${reference}`;
    if (reference !== null && this.#references.has(key)) return 'skipped';
    if (!Number.isSafeInteger(user.quota + amount)) return 'refused';
    if (guard !== null && !this.#pass(guard)) return 'skipped';
    if (reference !== null) this.#references.add(key);
    this.#add(user, { userId, tokenId: null, kind: posting, amount, reference, createdAt: at });
    return 'written';
  }

  #refund(item: Extract<Settlement, { kind: 'refund' }>): ModelResult {
    const { userId, charges, reference, at, guard } = item;
    const user = this.users.get(userId) ??
      this.closed.get(userId) ?? { quota: 0, usedQuota: 0, requestCount: 0 };
    if (!this.users.has(userId)) this.closed.set(userId, user);
    const key = `refund ${reference}`;
    if (this.#references.has(key) || !this.#pass(guard)) return 'skipped';
    const total = charges.reduce((sum, { amount }) => sum + amount, 0);
    const amount = Math.min(total, Number.MAX_SAFE_INTEGER - user.quota);
    if (amount > 0) {
      this.#references.add(key);
      const [{ tokenId = 0 } = {}] = charges;
      this.#add(user, {
        userId,
        tokenId: tokenId === 0 ? null : tokenId,
        kind: 'refund',
        amount,
        reference,
        createdAt: at,
      });
    }
    user.usedQuota = Math.max(0, user.usedQuota - total);
    for (const { amount, tokenId, channelId, rollup } of charges) {
      const token = this.tokens.get(tokenId);
      const counted = Math.min(amount, token?.usedQuota ?? 0);
      if (token !== undefined) {
        token.remainQuota += counted;
        token.usedQuota -= counted;
      }
      if (channelId !== 0)
        this.channels.set(channelId, (this.channels.get(channelId) ?? 0) - amount);
      if (rollup === null) continue;
      const row = [userId, rollup.username, rollup.modelName, rollup.hour].join(' ');
      const { count, quota, tokenUsed } = this.rollups.get(row) ?? {
        count: 0,
        quota: 0,
        tokenUsed: 0,
      };
      this.rollups.set(row, { count, quota: quota - amount, tokenUsed: tokenUsed - rollup.tokens });
    }
    return 'written';
  }

  #pass(guard: Guard): boolean {
    const row = `${guard.table} ${guard.id}`;
    if (this.states.get(row) !== guard.from) return false;
    this.states.set(row, guard.to);
    return true;
  }

  #add(user: ModelUser, posting: Omit<ModelPosting, 'balanceAfter'>): void {
    user.quota += posting.amount;
    this.postings.push({ ...posting, balanceAfter: user.quota });
  }
}

const debtAt = (balance: number): number => Math.max(0, -balance);
