/** Charges by day, token and model as a file (docs/rules/usage-logs.md#activity). */
import type { FileOutput } from '../contract/endpoint.ts';
import { byteOrderMark, csvLine } from '../kernel/csv.ts';
import { decimal } from '../kernel/decimal.ts';
import { amountInUnits } from '../pricing/format-sums.ts';
import type { ActivitySum, LogRepository, Spans } from '../storage/storage.ts';
import type { SummaryRange, UsageOf } from './usage-spans.ts';

export interface ActivityRequest {
  readonly range: SummaryRange;
  readonly of: UsageOf;
  readonly bom: boolean;
  /** With a user for each line. */
  readonly forAdmins: boolean;
}

export interface ActivityDeps {
  readonly storage: { readonly logs: Pick<LogRepository, 'activity' | 'firstCharge'> };
  readonly daysOf: (range: SummaryRange) => Spans;
  readonly resolve: (of: UsageOf) => Promise<UsageOf>;
  /** Quota in a currency unit. */
  readonly quotaPerUnit: () => string | number;
}

/**
 * One line per day, token and model with a charge, oldest day first; each day with one is a read of
 * its own, and nothing else is held in memory.
 */
export async function activityFile(
  { storage, daysOf, resolve, quotaPerUnit }: ActivityDeps,
  { range, of, bom, forAdmins }: ActivityRequest,
): Promise<FileOutput> {
  const { starts, end } = daysOf(range);
  const { userId, username } = await resolve(of);
  const whose = {
    ...(userId !== undefined && { userId }),
    ...(username !== undefined && { user: username }),
  };
  const dateIn = new Intl.DateTimeFormat('sv-SE', { timeZone: range.zone });
  const unit = decimal(quotaPerUnit());
  const people = forAdmins ? ['user_id', 'username'] : [];
  const head = csvLine([
    'date',
    ...people,
    'token_id',
    'token',
    'model',
    'requests',
    'prompt_tokens',
    'completion_tokens',
    'quota',
    'amount',
  ]);
  const line = (date: string, sum: ActivitySum) =>
    csvLine([
      date,
      ...(forAdmins ? [sum.userId, sum.username] : []),
      sum.tokenId,
      sum.tokenName,
      sum.modelName,
      sum.count,
      sum.promptTokens,
      sum.completionTokens,
      sum.quota,
      amountInUnits(sum.quota, unit),
    ]);

  async function* chunks(): AsyncGenerator<string> {
    yield (bom ? byteOrderMark : '') + head;
    const last = range.to ?? end - 1;
    let next: number | undefined = range.from ?? starts[0] ?? end;
    for (const [place, start] of starts.entries()) {
      const to = Math.min((starts[place + 1] ?? end) - 1, last);
      // The range may begin within a day.
      const from: number = Math.max(start, range.from ?? start);
      if (next > to) continue;
      // Days without a charge are left out at once.
      next = await storage.logs.firstCharge({ ...whose, from, to: last });
      if (next === undefined) return;
      if (next > to) continue;
      const sums = await storage.logs.activity({ ...whose, from, to });
      const date = dateIn.format(new Date(start * 1000));
      if (sums.length > 0) yield sums.map((sum) => line(date, sum)).join('');
    }
  }
  return { name: 'activity.csv', type: 'text/csv; charset=utf-8', chunks: chunks() };
}
