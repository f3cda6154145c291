/** A site of LiteLLM's proxy (docs/rules/import.md#litellm): what is carried, in order of writing. */
import type { Storage } from '../../storage/storage.ts';
import { toTrimmed } from '../convert.ts';
import type { TableMapping } from '../mapping/mapping.ts';
import { Notes } from '../notes.ts';
import type { Loss, ProofLine, TableReport } from '../report.ts';
import { rowsOf } from '../rows-of.ts';
import { type CarriedSite, contextOf, type Run } from '../run-context.ts';
import type { SourceRow } from '../source/source.ts';
import { importTable, type TableResult } from '../table-import.ts';
import { accountRows, accountSums, readAccounts, usersFrom } from './accounts.ts';
import { channelsFrom, channelsOf } from './channels.ts';
import { ModelNames, readDeployments } from './deployments.ts';
import type { LitellmInput } from './input.ts';
import { keyRows, keySums, keysFrom, readKeys } from './keys.ts';
import { carryLimits, type LimitOwner } from './limits.ts';
import { memberTable, readMemberLimits } from './members.ts';
import { carryPrices } from './prices.ts';
import { OldSecrets } from './secrets.ts';
import { masterKeyOf, membersOf, type OldSettings, readSettings } from './settings.ts';
import { type HourOfUsage, usageFrom, usageOrder, usageTable } from './usage.ts';
import { viewsOf } from './view-source.ts';

/** Tables that are read, or that nothing is lost without: sums of the log, and its own work. */
export const coveredLitellm: ReadonlySet<string> = new Set([
  'LiteLLM_UserTable',
  'LiteLLM_TeamTable',
  'LiteLLM_VerificationToken',
  'LiteLLM_BudgetTable',
  memberTable,
  'LiteLLM_ProxyModelTable',
  'LiteLLM_CredentialsTable',
  'LiteLLM_Config',
  usageTable,
  'LiteLLM_DailyUserSpend',
  'LiteLLM_DailyTeamSpend',
  'LiteLLM_DailyTagSpend',
  'LiteLLM_DailyOrganizationSpend',
  'LiteLLM_DailyEndUserSpend',
  'LiteLLM_DailyAgentSpend',
  'LiteLLM_CronJob',
  'LiteLLM_HealthCheckTable',
  'LiteLLM_SpendLogToolIndex',
  '_prisma_migrations',
]);

/** Tables whose limits have no counterpart. */
export const lossesOfLitellm: ReadonlyMap<string, Loss> = new Map(
  [
    'LiteLLM_OrganizationTable',
    'LiteLLM_EndUserTable',
    'LiteLLM_TagTable',
    'LiteLLM_ProjectTable',
  ].map((table) => [table, 'limits']),
);

const nothing: LitellmInput = { config: undefined, environment: {}, saltKey: '', balance: 0 };

export async function carryLitellm(
  run: Run,
  options: ReadonlyMap<string, string>,
): Promise<CarriedSite> {
  const given = run.litellm ?? nothing;
  const masterKey = masterKeyOf(given);
  const secrets = new OldSecrets(given.saltKey || masterKey);
  const settings = await readSettings(run, given, secrets);
  const deployments = await readDeployments(run, settings, secrets);
  secrets.requireRightKey();
  const aliases = aliasesOf(settings);
  const accounts = await readAccounts(run);
  const keys = await readKeys(run, accounts, masterKey);
  const channels = channelsOf(deployments, aliases, settings);
  const source = viewsOf(
    run.source,
    {
      users: { rows: accountRows(accounts, given.balance), sums: accountSums },
      keys: { rows: keyRows(keys), sums: keySums },
      channels: { rows: channels.rows, sums: {} },
    },
    { [usageTable]: usageOrder },
  );
  const viewed = { ...run, source };
  const context = await contextOf(viewed, options, []);
  const { storage } = run;
  const results: TableResult[] = [];
  const carry = async (mapping: TableMapping, columns: ReadonlySet<string>) => {
    const writtenIds = new Set<number>();
    results.push(await importTable(mapping, { ...viewed, context, columns, writtenIds }));
    return writtenIds;
  };
  const usernames = new Map<number, string>();
  const newUsers = await carry(
    usersFrom(accounts, given.balance, usernames),
    columnsOf(accountRows(accounts, given.balance)),
  );
  await carry(channelsFrom(channels, context.now), columnsOf(channels.rows));
  const names = new ModelNames(deployments, [...aliases.keys()]);
  const newKeys = await carry(keysFrom(keys, names), columnsOf(keyRows(keys)));
  const shared = await readShared(run);
  const members = await readMemberLimits(run, accounts, keys, ({ id }) => newKeys.has(id), shared);
  const owners: LimitOwner[] = [
    ...accounts.list.map(({ id, row }) => ({
      ...({ owner: 'user', id, row } as const),
      name: usernames.get(id) ?? '',
      isNew: newUsers.has(id),
    })),
    ...keys.map(({ id, name, row }) => ({
      ...({ owner: 'token', id, name } as const),
      row: withShared(row, shared),
      isNew: newKeys.has(id),
    })),
    ...members.owners,
  ];
  const { now, quotaPerUnit } = context;
  const limits = await carryLimits(owners, {
    now,
    quotaPerUnit,
    storage,
    membersLeftOut: members.leftOut,
  });
  const prices = await carryPrices(deployments, aliases, storage, quotaPerUnit);
  const hours = new Map<string, HourOfUsage>();
  const usageColumns = run.tables.get(usageTable);
  if (usageColumns !== undefined) {
    const usage = { accounts, keys, names: usernames, channels: channels.ids, hours };
    await carry(usageFrom(usage), usageColumns);
  }
  const proof = storage === null ? [] : await writeHours([...hours.values()], storage);
  return {
    reports: [...results.map(({ report }) => report), limits, prices, reportOf(settings)],
    results,
    proof,
  };
}

const columnsOf = (rows: readonly SourceRow[]): ReadonlySet<string> =>
  new Set(rows.flatMap((row) => Object.keys(row)));

/** Names that stand for other models. */
function aliasesOf({ router }: OldSettings): ReadonlyMap<string, string> {
  const found = Object.entries(membersOf(router['model_group_alias'])).map(([alias, target]) => [
    alias,
    typeof target === 'string' ? target : String(membersOf(target)['model'] ?? ''),
  ]);
  return new Map(found.filter(([, target]) => target !== '') as [string, string][]);
}

/** Definitions of budgets that several keys share, each for itself. */
async function readShared(run: Run): Promise<ReadonlyMap<string, SourceRow>> {
  const found = new Map<string, SourceRow>();
  for await (const row of rowsOf(run, 'LiteLLM_BudgetTable', 'budget_id'))
    found.set(toTrimmed(row['budget_id']), row);
  return found;
}

const limitColumns = [
  'max_budget',
  'soft_budget',
  'budget_duration',
  'tpm_limit',
  'rpm_limit',
  'max_parallel_requests',
  'model_max_budget',
];

/** What a key does not say itself is that of its budget. */
function withShared(row: SourceRow, shared: ReadonlyMap<string, SourceRow>): SourceRow {
  const budget = shared.get(toTrimmed(row['budget_id']));
  if (budget === undefined) return row;
  const isSaid = (column: string) => {
    const value = row[column];
    return value !== null && value !== undefined && JSON.stringify(value, bigints) !== '{}';
  };
  const others = limitColumns.filter((column) => !isSaid(column));
  return {
    ...row,
    ...Object.fromEntries(others.map((column) => [column, budget[column]])),
    budget_reset_at: row['budget_reset_at'] ?? budget['budget_reset_at'],
  };
}

const bigints = (_key: string, value: unknown) =>
  typeof value === 'bigint' ? String(value) : value;

/** What the settings say that nothing here corresponds to. */
function reportOf({ general, router, litellm }: OldSettings): TableReport {
  const notes = new Notes();
  const read = new Set(['general_settings.master_key', 'router_settings.model_group_alias']);
  const found = Object.entries({
    general_settings: general,
    router_settings: router,
    litellm_settings: litellm,
  }).flatMap(([part, members]) => Object.keys(members).map((member) => `${part}.${member}`));
  const others = found.filter((name) => !read.has(name));
  for (const name of others) notes.add('option_not_used', name);
  return {
    table: 'settings',
    read: found.length,
    carried: found.length - others.length,
    leftOut: others.length,
    alreadyThere: 0,
    notes: notes.list(),
  };
}

const hourCounters = ['quota', 'count', 'token_used'] as const;

/** The hourly sums are made of the log, where the site has none yet. */
async function writeHours(hours: readonly HourOfUsage[], storage: Storage): Promise<ProofLine[]> {
  const table = 'quota_data';
  const before = await storage.imports.figures(table, hourCounters);
  if (before.count > 0 || hours.length === 0) return [];
  await storage.imports.insert(
    table,
    hours.map((hour) => ({ ...hour })),
  );
  const { sums } = await storage.imports.figures(table, hourCounters);
  return hourCounters.map((figure) => ({
    table,
    figure,
    expected: hours.reduce((sum, hour) => sum + BigInt(hour[figure]), 0n),
    found: sums[figure] ?? 0n,
  }));
}
