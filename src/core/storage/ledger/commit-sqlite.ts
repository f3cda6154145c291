/** Writes a batch of settlements in one SQLite transaction, on the connection that owns the write lock. */
import type BetterSqlite3 from 'better-sqlite3';
import type {
  AllowanceSettlement,
  ChargeSettlement,
  PostingSettlement,
  SettledLog,
  Settlement,
  SettlementResult,
} from './settlement.ts';

/** Sums of one batch, so that each account is written once however many requests it made. */
interface UserSums {
  balance: number;
  quota: number;
  used: number;
  requests: number;
}
interface TokenSums {
  amount: number;
  at: number;
}
interface RollupSums {
  readonly values: readonly [userId: number, username: string, modelName: string, hour: number];
  count: number;
  quota: number;
  tokens: number;
}

/**
 * Prepares the statements once. The returned function is one transaction: all of the batch or nothing; it throws what
 * SQLite throws (disk full, busy), and the caller tries the same batch again.
 */
export function createSqliteCommitter(db: BetterSqlite3.Database): (batch: readonly Settlement[]) => readonly SettlementResult[] {
  const readBalance = db.prepare<[number], { quota: number }>('SELECT quota FROM users WHERE id = ?');
  const insertPosting = db.prepare(
    'INSERT INTO ledger (user_id, token_id, kind, amount, balance_after, reference, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const findReference = db.prepare<[string, string], { id: number }>('SELECT id FROM ledger WHERE kind = ? AND reference = ?');
  const insertLog = db.prepare(
    `INSERT INTO logs (user_id, created_at, type, content, username, token_name, model_name, quota, prompt_tokens, completion_tokens,
       use_time, is_stream, channel_id, token_id, "group", other, request_id, ledger_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateUser = db.prepare(
    'UPDATE users SET quota = quota + ?, used_quota = used_quota + ?, request_count = request_count + ? WHERE id = ?',
  );
  const updateToken = db.prepare(
    'UPDATE tokens SET remain_quota = remain_quota - ?, used_quota = used_quota + ?, accessed_time = ? WHERE id = ?',
  );
  const updateChannel = db.prepare('UPDATE channels SET used_quota = used_quota + ? WHERE id = ?');
  const updateAllowance = db.prepare('UPDATE tokens SET remain_quota = ?, unlimited_quota = ? WHERE id = ?');
  const redeem = db.prepare(
    'UPDATE redemptions SET status = 3, used_user_id = ?, redeemed_time = ? WHERE id = ? AND status = 1 AND deleted_at IS NULL',
  );
  const addRollup = db.prepare(
    `INSERT INTO quota_data (user_id, username, model_name, created_at, count, quota, token_used) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (user_id, username, model_name, created_at)
     DO UPDATE SET count = count + excluded.count, quota = quota + excluded.quota, token_used = token_used + excluded.token_used`,
  );

  let users = new Map<number, UserSums>();
  let tokens = new Map<number, TokenSums>();
  let channels = new Map<number, number>();
  let rollups = new Map<string, RollupSums>();

  const userOf = (id: number): UserSums | undefined => {
    let sums = users.get(id);
    if (sums === undefined) {
      const row = readBalance.get(id);
      if (row === undefined) return undefined;
      sums = { balance: row.quota, quota: 0, used: 0, requests: 0 };
      users.set(id, sums);
    }
    return sums;
  };

  const writeLog = (log: SettledLog, ledgerId: number | bigint | null): void => {
    insertLog.run(
      log.userId,
      log.createdAt,
      log.type,
      log.content,
      log.username,
      log.tokenName,
      log.modelName,
      log.quota,
      log.promptTokens,
      log.completionTokens,
      log.useTime,
      log.isStream ? 1 : 0,
      log.channelId,
      log.tokenId,
      log.group,
      log.other,
      log.requestId,
      ledgerId,
    );
  };

  const charge = (item: ChargeSettlement): SettlementResult => {
    const user = userOf(item.userId);
    let ledgerId: number | bigint | null = null;
    if (user !== undefined && item.amount !== 0) {
      user.balance -= item.amount;
      user.quota -= item.amount;
      user.used += item.amount;
      user.requests += 1;
      ledgerId = insertPosting.run(
        item.userId,
        item.tokenId === 0 ? null : item.tokenId,
        'charge',
        -item.amount,
        user.balance,
        item.requestId,
        item.at,
      ).lastInsertRowid;
      if (item.tokenId !== 0) {
        const token = tokens.get(item.tokenId);
        if (token === undefined) tokens.set(item.tokenId, { amount: item.amount, at: item.at });
        else {
          token.amount += item.amount;
          token.at = item.at;
        }
      }
      if (item.channelId !== 0) channels.set(item.channelId, (channels.get(item.channelId) ?? 0) + item.amount);
    }
    if (item.log !== null) writeLog(item.log, ledgerId);
    if (item.rollup !== null) {
      const { modelName, username, hour, tokens: counted } = item.rollup;
      const key = `${item.userId}\u0000${hour}\u0000${modelName}`;
      const sums = rollups.get(key);
      if (sums === undefined) {
        rollups.set(key, { values: [item.userId, username, modelName, hour], count: 1, quota: item.amount, tokens: counted });
      } else {
        sums.count += 1;
        sums.quota += item.amount;
        sums.tokens += counted;
      }
    }
    return { done: user !== undefined, balance: user?.balance ?? 0 };
  };

  const post = (item: PostingSettlement): SettlementResult => {
    const user = userOf(item.userId);
    if (user === undefined) return { done: false, balance: 0 };
    const nothing = { done: false, balance: user.balance };
    if (item.reference !== null && findReference.get(item.posting, item.reference) !== undefined) return nothing;
    if (item.redeem !== null && redeem.run(item.userId, item.at, item.redeem.redemptionId).changes !== 1) return nothing;
    user.balance += item.amount;
    user.quota += item.amount;
    const row = insertPosting.run(item.userId, null, item.posting, item.amount, user.balance, item.reference, item.at);
    if (item.log !== null) writeLog(item.log, row.lastInsertRowid);
    return { done: true, balance: user.balance };
  };

  const flush = (): void => {
    for (const [id, { quota, used, requests }] of users) {
      if (quota !== 0 || used !== 0 || requests !== 0) updateUser.run(quota, used, requests, id);
    }
    for (const [id, { amount, at }] of tokens) updateToken.run(amount, amount, at, id);
    for (const [id, amount] of channels) updateChannel.run(amount, id);
    for (const { values, count, quota, tokens: counted } of rollups.values()) addRollup.run(...values, count, quota, counted);
  };

  /** An allowance is absolute: what the batch owes the token so far must be on the row before it. */
  const allow = (item: AllowanceSettlement): SettlementResult => {
    const owed = tokens.get(item.tokenId);
    if (owed !== undefined) {
      updateToken.run(owed.amount, owed.amount, owed.at, item.tokenId);
      tokens.delete(item.tokenId);
    }
    const { changes } = updateAllowance.run(item.remainQuota, item.unlimited ? 1 : 0, item.tokenId);
    return { done: changes === 1, balance: 0 };
  };

  const commit = db.transaction((batch: readonly Settlement[]): readonly SettlementResult[] => {
    users = new Map();
    tokens = new Map();
    channels = new Map();
    rollups = new Map();
    const results = batch.map((item) =>
      item.kind === 'charge' ? charge(item) : item.kind === 'posting' ? post(item) : allow(item),
    );
    flush();
    return results;
  });
  return (batch) => commit.immediate(batch);
}
