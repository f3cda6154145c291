/** Who would have paid what at other prices, from the usage log (docs/rules/pricing.md#price-impact). */
import type { Decimal } from '../kernel/decimal.ts';
import { parseObject } from '../kernel/json.ts';
import { explainLog, repriceLog } from '../pricing/explain.ts';
import { findPrice } from '../pricing/find-price.ts';
import type { PriceTables } from '../pricing/tables.ts';
import type { LogFilter, LogRepository, UsageLog } from '../storage/storage.ts';
import { logTypes } from '../vocabulary/log-types.ts';

export interface Impact {
  /** Requests of the changed models. */
  readonly requests: number;
  /** Quota. */
  readonly paid: number;
  readonly wouldPay: number;
}

export interface PriceImpact {
  readonly models: ReadonlyMap<string, Impact>;
  /** Those whose sum changes most, first. */
  readonly users: readonly (Impact & { readonly userId: number; readonly username: string })[];
  /** Older rows were left out, because there are too many. */
  readonly isPartial: boolean;
}

const rowsPerRead = 1000;
/** Rows of all models that are read at most: some seconds. */
const mostRows = 200_000;
const mostUsers = 20;
const none: Impact = { requests: 0, paid: 0, wouldPay: 0 };

/** `since`: Unix seconds. Rows that cannot be priced anew (tasks, imported ones) count as they are. */
export async function priceImpact(
  logs: Pick<LogRepository, 'listBefore'>,
  models: ReadonlySet<string>,
  after: PriceTables,
  quotaPerUnit: Decimal,
  since: number,
): Promise<PriceImpact> {
  const byModel = new Map<string, Impact>();
  const byUser = new Map<number, Impact & { userId: number; username: string }>();
  const add = (row: UsageLog): void => {
    const price = findPrice(row.modelName, after);
    const charge = {
      prompt_tokens: row.promptTokens,
      completion_tokens: row.completionTokens,
      other: parseObject(row.other) ?? {},
    };
    // What was not charged for want of an answer would not be either.
    const isFree =
      row.quota === 0 && explainLog({ ...charge, quota: 0 }, quotaPerUnit)?.exact === false;
    const wouldPay =
      (price === undefined || isFree ? undefined : repriceLog(charge, price, quotaPerUnit)) ??
      row.quota;
    const sum = (known: Impact = none): Impact => ({
      requests: known.requests + 1,
      paid: known.paid + row.quota,
      wouldPay: known.wouldPay + wouldPay,
    });
    byModel.set(row.modelName, sum(byModel.get(row.modelName)));
    const { userId, username } = row;
    byUser.set(userId, { userId, username, ...sum(byUser.get(userId)) });
  };
  let last: UsageLog | undefined;
  let read = 0;
  for (;;) {
    const filter: LogFilter = { type: logTypes.consume, from: since };
    const rows = await logs.listBefore(filter, last, rowsPerRead);
    for (const row of rows) if (models.has(row.modelName)) add(row);
    read += rows.length;
    last = rows.at(-1);
    if (rows.length < rowsPerRead || read >= mostRows) break;
  }
  const change = ({ paid, wouldPay }: Impact) => Math.abs(wouldPay - paid);
  return {
    models: byModel,
    users: [...byUser.values()].sort((a, b) => change(b) - change(a)).slice(0, mostUsers),
    isPartial: read >= mostRows,
  };
}
