/** Sums of the usage of a sub2api site that its database has nowhere else. */
import { moneyToQuota, toInteger, toSeconds, toTrimmed } from '../convert.ts';
import { rowsOf } from '../rows-of.ts';
import type { OldSiteReader } from './reader.ts';

export interface HourOfUsage {
  readonly user_id: number;
  readonly model_name: string;
  readonly created_at: number;
  quota: number;
  count: number;
  token_used: number;
}

/** Quota, by id. */
export interface Usage {
  readonly byUser: ReadonlyMap<number, { readonly quota: number; readonly count: number }>;
  readonly byKey: ReadonlyMap<number, number>;
  readonly byAccount: ReadonlyMap<number, number>;
  /** The models that were requested of each account. */
  readonly models: ReadonlyMap<number, ReadonlySet<string>>;
  readonly hours: readonly HourOfUsage[];
}

const hour = 3600;

export async function readUsage(reader: OldSiteReader): Promise<Usage> {
  const byUser = new Map<number, { quota: number; count: number }>();
  const byKey = new Map<number, number>();
  const byAccount = new Map<number, number>();
  const models = new Map<number, Set<string>>();
  const hours = new Map<string, HourOfUsage>();
  for await (const row of rowsOf(reader, 'usage_logs')) {
    const quota = toInteger(moneyToQuota(row['actual_cost'], reader.quotaPerUnit).quota);
    const user = Number(row['user_id']);
    const key = Number(row['api_key_id']);
    const account = Number(row['account_id']);
    const model = toTrimmed(row['model']);
    const ofUser = byUser.get(user) ?? { quota: 0, count: 0 };
    byUser.set(user, { quota: ofUser.quota + quota, count: ofUser.count + 1 });
    byKey.set(key, (byKey.get(key) ?? 0) + quota);
    byAccount.set(account, (byAccount.get(account) ?? 0) + quota);
    models.set(account, (models.get(account) ?? new Set<string>()).add(model));
    const at = toSeconds(row['created_at']);
    const start = at - (at % hour);
    const name = `${user} ${start} ${model}`;
    const sum: HourOfUsage = hours.get(name) ?? {
      user_id: user,
      model_name: model,
      created_at: start,
      quota: 0,
      count: 0,
      token_used: 0,
    };
    sum.quota += quota;
    sum.count += 1;
    sum.token_used += toInteger(row['input_tokens']) + toInteger(row['output_tokens']);
    hours.set(name, sum);
  }
  return { byUser, byKey, byAccount, models, hours: [...hours.values()] };
}
