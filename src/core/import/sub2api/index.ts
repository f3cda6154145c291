/** A site of sub2api (docs/rules/import.md#sub2api): what is carried, in the order of writing. */
import { clampQuota } from '../../kernel/quota.ts';
import type { Storage } from '../../storage/storage.ts';
import type { MappingContext, TableMapping } from '../mapping/mapping.ts';
import type { Loss, ProofLine } from '../report.ts';
import type { CarriedSite, Run } from '../run-context.ts';
import { importTable, type TableResult } from '../table-import.ts';
import { accountsFrom } from './accounts.ts';
import { keysFrom } from './keys.ts';
import { type OldSite, readOldSite } from './old-site.ts';
import { codesMapping, ordersMapping } from './payments.ts';
import { carrySettings } from './settings.ts';
import { grantSubscriptions } from './subscriptions.ts';
import { usageFrom } from './usage.ts';
import { usersFrom } from './users.ts';

/** Tables that are read: not reported as left out. */
export const coveredSub2api: ReadonlySet<string> = new Set([
  'users',
  'groups',
  'accounts',
  'account_groups',
  'proxies',
  'api_keys',
  'auth_identities',
  'redeem_codes',
  'payment_orders',
  'user_subscriptions',
  'usage_logs',
  'settings',
  // Which of its migrations were run.
  'schema_migrations',
  'atlas_schema_revisions',
]);

/** Tables without a counterpart whose rows matter to customers. */
export const lossesOfSub2api: ReadonlyMap<string, Loss> = new Map([
  ['user_group_rate_multipliers', 'user_rates'],
]);

export interface Sub2apiRun extends Run {
  readonly context: MappingContext;
}

export async function carrySub2api(run: Sub2apiRun): Promise<CarriedSite> {
  const { source, tables, context, storage, batch } = run;
  const reader = { source, tables, batch, quotaPerUnit: context.quotaPerUnit };
  const site = await readOldSite(reader);
  const reports = await carrySettings(site, reader, storage);
  const results: TableResult[] = [];
  const carry = async (mapping: TableMapping, writtenIds: Set<number> = new Set()) => {
    const columns = tables.get(mapping.source);
    if (columns === undefined) return;
    results.push(await importTable(mapping, { ...run, columns, writtenIds }));
  };
  const newUsers = new Set<number>();
  const newKeys = new Set<number>();
  await carry(usersFrom(site), newUsers);
  await carry(accountsFrom(site));
  await carry(keysFrom(site), newKeys);
  await carry(codesMapping);
  await carry(ordersMapping);
  const isNew = (id: number) => newUsers.has(id);
  results.push(await grantSubscriptions(site, isNew, storage, context.now));
  if (storage !== null) await limitKeys(site, newKeys, storage, context.now);
  await carry(usageFrom(site));
  const proof = storage === null ? [] : await writeHours(site, run, storage);
  return { reports: [...reports, ...results.map(({ report }) => report)], results, proof };
}

/** What a key may spend in some hours becomes a budget of the token. */
async function limitKeys(
  { keyLimits, keyNames }: OldSite,
  newKeys: ReadonlySet<number>,
  storage: Storage,
  now: number,
): Promise<void> {
  for (const { tokenId, period, amount } of keyLimits) {
    if (!newKeys.has(tokenId)) continue;
    await storage.budgets.insert({
      userId: 0,
      name: [...`${keyNames.get(tokenId) ?? ''} ${period}`.trim()].slice(0, 50).join(''),
      owner: 'token',
      ownerId: String(tokenId),
      amount: clampQuota(amount),
      period,
      window: 'rolling',
      createdTime: now,
    });
  }
}

const hourCounters = ['quota', 'count', 'token_used'] as const;

/** The hourly sums are made of the log, where the site has none yet. */
async function writeHours(
  { usage, usernames }: OldSite,
  { source, tables, context }: Sub2apiRun,
  storage: Storage,
): Promise<ProofLine[]> {
  const table = 'quota_data';
  const before = await storage.imports.figures(table, hourCounters);
  if (before.count > 0 || !tables.has('usage_logs')) return [];
  const rows = usage.hours.map((hour) => ({
    ...hour,
    username: usernames.get(hour.user_id) ?? '',
  }));
  await storage.imports.insert(table, rows);
  const { sums } = await storage.imports.figures(table, hourCounters);
  const spent = await source.sumScaled?.('usage_logs', 'actual_cost', context.quotaPerUnit);
  const count = BigInt(await source.count('usage_logs'));
  return [
    { table, figure: 'quota', expected: spent ?? 0n, found: sums['quota'] ?? 0n },
    { table, figure: 'count', expected: count, found: sums['count'] ?? 0n },
  ];
}
