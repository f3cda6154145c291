/**
 * New API's rates of groups (`ModelRequestRateLimitGroup`: a group's requests and successful
 * requests of each user in some minutes; github.com/QuantumNous/new-api, setting/rate_limit.go,
 * 2026-11) become budgets without an amount (docs/rules/import.md#mappings).
 */

import { isObject, parseJson } from '../kernel/json.ts';
import { clampQuota } from '../kernel/quota.ts';
import type { Storage } from '../storage/storage.ts';
import { Notes } from './notes.ts';
import type { TableReport } from './report.ts';

export const groupRatesOption = 'ModelRequestRateLimitGroup';

/** What a rate here can be at most. */
const highestRate = 1_000_000;

/** Undefined: there are none, or they were off. */
export async function carryGroupRates(
  options: ReadonlyMap<string, string>,
  storage: Storage | null,
  now: number,
): Promise<TableReport | undefined> {
  const table = parseJson(options.get(groupRatesOption) ?? '');
  if (!isObject(table) || options.get('ModelRequestRateLimitEnabled') !== 'true') return undefined;
  const given = (key: string, otherwise: number) => Number(options.get(key) ?? otherwise);
  const minutes = Math.max(1, given('ModelRequestRateLimitDurationMinutes', 1));
  const site = given('ModelRequestRateLimitCount', 0) || Number.POSITIVE_INFINITY;
  const there = new Set(
    (await storage?.budgets.list())?.flatMap(({ owner, ownerId, each, period }) =>
      owner === 'group' && each === 'user' && period === 'none' ? [ownerId] : [],
    ),
  );
  const notes = new Notes();
  const counts = { read: 0, carried: 0, leftOut: 0, alreadyThere: 0 };
  for (const [group, limits] of Object.entries(table)) {
    counts.read += 1;
    const [all = 0, succeeded = 0] = Array.isArray(limits) ? limits.map(Number) : [];
    const most = all > 0 ? all : succeeded;
    if (!(most > 0)) {
      notes.add('limit_left_out', group);
      counts.leftOut += 1;
    } else if (there.has(group)) counts.alreadyThere += 1;
    else {
      counts.carried += 1;
      const rate = Math.min(highestRate, Math.max(1, Math.floor(most / minutes)));
      if (minutes !== 1) notes.add('limit_period_changed', `${group}: ${most}, ${minutes} min`);
      if (most > site) notes.add('group_rate_above_site', `${group}: ${most}`);
      notes.add('limit_becomes_budget', `${group}: ${rate}`);
      await storage?.budgets.insert({
        userId: 0,
        name: [...group].slice(0, 50).join(''),
        owner: 'group',
        ownerId: group,
        each: 'user',
        amount: clampQuota(0),
        period: 'none',
        requestsPerMinute: rate,
        createdTime: now,
      });
    }
  }
  return counts.read === 0
    ? undefined
    : { table: groupRatesOption, ...counts, notes: notes.list() };
}
