/** Groups of one-hub (model/user_group.go, 2026-02-20) become options, their rates budgets. */
import { clampQuota } from '../../kernel/quota.ts';
import type { Storage, StoredOption } from '../../storage/storage.ts';
import { mapOption } from '../mapping/options.ts';
import { Notes } from '../notes.ts';
import type { TableReport } from '../report.ts';
import type { OldSite } from './old-site.ts';

/** What a rate here can be at most. */
const highestRate = 1_000_000;

interface Carried {
  readonly report: TableReport;
  readonly options: readonly StoredOption[];
}

/** `set`: options that the site has already, which it keeps. */
export function carryGroups({ groups }: OldSite, set: ReadonlySet<string>): Carried {
  const notes = new Notes();
  const isThere = set.has('GroupRatio');
  for (const { symbol, isEnabled, isPromotion } of groups) {
    if (!isEnabled) notes.add('group_disabled', symbol);
    if (isPromotion) notes.add('group_promotion', symbol);
  }
  const entries = (value: Readonly<Record<string, unknown>>) => JSON.stringify(value);
  const open = groups.filter(({ isPublic, isEnabled }) => isPublic && isEnabled);
  const values = {
    GroupRatio: entries(Object.fromEntries(groups.map(({ symbol, ratio }) => [symbol, ratio]))),
    UserUsableGroups: entries(
      Object.fromEntries(open.map(({ symbol, name }) => [symbol, name || symbol])),
    ),
    GroupGroupRatio: '{}',
  };
  const options = Object.entries(values).flatMap(
    ([key, value]) => mapOption(key, value, notes) ?? [],
  );
  return {
    report: {
      table: 'user_groups',
      read: groups.length,
      carried: isThere ? 0 : groups.length,
      leftOut: 0,
      alreadyThere: isThere ? groups.length : 0,
      notes: notes.list(),
    },
    options,
  };
}

/**
 * `api_rate` is what each user of the group may begin in a minute (middleware/api-limit.go,
 * common/limit/api_limiter.go, 2026-02-20).
 */
export async function limitGroups(
  { groups }: OldSite,
  storage: Storage,
  now: number,
): Promise<void> {
  for (const { symbol, name, rate, isEnabled } of groups) {
    if (!isEnabled) continue;
    await storage.budgets.insert({
      userId: 0,
      name: [...(name || symbol)].slice(0, 50).join(''),
      owner: 'group',
      ownerId: symbol,
      each: 'user',
      amount: clampQuota(0),
      period: 'none',
      requestsPerMinute: Math.min(highestRate, Math.max(1, rate)),
      createdTime: now,
    });
  }
}
