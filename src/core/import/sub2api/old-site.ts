/** What several tables of a sub2api site need of each other, read before any of them is written. */
import { moneyToQuota, toDecimal, toSeconds, toText, toTrimmed } from '../convert.ts';
import { rowsOf } from '../rows-of.ts';
import type { OldSiteReader } from './reader.ts';
import { readUsage, type Usage } from './usage-sums.ts';

export interface OldGroup {
  readonly id: number;
  /** Without commas, which separate groups here; unique. */
  readonly name: string;
  readonly description: string;
  readonly ratio: number;
  readonly isDeleted: boolean;
  /** Anybody may use it: it is active, neither exclusive nor a subscription's. */
  readonly isOpen: boolean;
  readonly isActive: boolean;
  readonly isSubscription: boolean;
  /** Quota per 24 hours, 7 days and 30 days; absent: no such limit. */
  readonly limits: Readonly<Partial<Record<Span, bigint>>>;
}

export const spans = { day: 86_400, week: 7 * 86_400, month: 30 * 86_400 } as const;
export type Span = keyof typeof spans;
const spanNames = { day: 'daily', week: 'weekly', month: 'monthly' } as const;
export const allSpans: readonly Span[] = ['day', 'week', 'month'];

export interface Subscription {
  readonly id: number;
  readonly userId: number;
  readonly group: OldGroup | undefined;
  readonly isActive: boolean;
  readonly endsAt: number;
  /** Of the window that is open: when it began, and what was spent in it. */
  readonly windows: Readonly<Record<Span, { readonly startsAt: number; readonly used: bigint }>>;
}

/** A limit of a key, which becomes a budget. */
export interface KeyLimit {
  readonly tokenId: number;
  readonly period: '5h' | Span;
  readonly amount: number;
}

export interface OldSite {
  readonly groups: ReadonlyMap<number, OldGroup>;
  /** The group that a user may use besides those open to all: by user. */
  readonly homes: ReadonlyMap<number, string>;
  readonly subscriptions: readonly Subscription[];
  /** By account. */
  readonly accountGroups: ReadonlyMap<number, readonly string[]>;
  /** Addresses by id. */
  readonly proxies: ReadonlyMap<number, string>;
  /** By user, the columns of identities as New API has them, and the names of others. */
  readonly identities: ReadonlyMap<number, Readonly<Record<string, string>>>;
  readonly firstAdmin: number;
  readonly usage: Usage;
  /** Filled while rows are converted. */
  readonly usernames: Map<number, string>;
  readonly keyNames: Map<number, string>;
  readonly keyLimits: KeyLimit[];
}

export async function readOldSite(reader: OldSiteReader): Promise<OldSite> {
  const groups = await readGroups(reader);
  return {
    groups,
    homes: await readHomes(reader, groups),
    subscriptions: await readSubscriptions(reader, groups),
    accountGroups: await readAccountGroups(reader, groups),
    proxies: await readProxies(reader),
    identities: await readIdentities(reader),
    firstAdmin: await readFirstAdmin(reader),
    usage: await readUsage(reader),
    usernames: new Map(),
    keyNames: new Map(),
    keyLimits: [],
  };
}

async function readGroups(reader: OldSiteReader): Promise<Map<number, OldGroup>> {
  const groups = new Map<number, OldGroup>();
  const names = new Set<string>();
  for await (const row of rowsOf(reader, 'groups')) {
    const id = Number(row['id']);
    const wanted = toTrimmed(row['name']).replace(/\s*,\s*/g, '_') || `group_${id}`;
    const isDeleted = toSeconds(row['deleted_at']) > 0;
    const name = names.has(wanted) || isDeleted ? `${wanted}_${id}` : wanted;
    names.add(name);
    const isActive = !isDeleted && toTrimmed(row['status']) === 'active';
    const isSubscription = toTrimmed(row['subscription_type']) === 'subscription';
    const limits: Partial<Record<Span, bigint>> = {};
    for (const span of allSpans) {
      const limit = moneyToQuota(row[`${spanNames[span]}_limit_usd`], reader.quotaPerUnit).quota;
      if (limit > 0n) limits[span] = limit;
    }
    groups.set(id, {
      id,
      name,
      description: toTrimmed(row['description']) || name,
      ratio: toDecimal(row['rate_multiplier'] ?? 1),
      isDeleted,
      isActive,
      isSubscription,
      isOpen: isActive && !isSubscription && row['is_exclusive'] !== true,
      limits,
    });
  }
  return groups;
}

/** Of each user the closed group that most of the keys have: here a user has one group. */
async function readHomes(
  reader: OldSiteReader,
  groups: ReadonlyMap<number, OldGroup>,
): Promise<Map<number, string>> {
  const counts = new Map<number, Map<string, number>>();
  for await (const row of rowsOf(reader, 'api_keys')) {
    const group = groups.get(Number(row['group_id'] ?? 0));
    if (group === undefined || group.isOpen || !group.isActive) continue;
    if (toSeconds(row['deleted_at']) > 0) continue;
    const user = Number(row['user_id']);
    const ofUser = counts.get(user) ?? new Map<string, number>();
    counts.set(user, ofUser.set(group.name, (ofUser.get(group.name) ?? 0) + 1));
  }
  const homes = new Map<number, string>();
  for (const [user, ofUser] of counts) {
    const [most] = [...ofUser].sort(([, first], [, second]) => second - first);
    if (most !== undefined) homes.set(user, most[0]);
  }
  return homes;
}

async function readSubscriptions(
  reader: OldSiteReader,
  groups: ReadonlyMap<number, OldGroup>,
): Promise<Subscription[]> {
  const found: Subscription[] = [];
  for await (const row of rowsOf(reader, 'user_subscriptions')) {
    const window = (span: Span) => ({
      startsAt: toSeconds(row[`${spanNames[span]}_window_start`]),
      used: moneyToQuota(row[`${spanNames[span]}_usage_usd`], reader.quotaPerUnit).quota,
    });
    found.push({
      id: Number(row['id']),
      userId: Number(row['user_id']),
      group: groups.get(Number(row['group_id'])),
      isActive: toTrimmed(row['status']) === 'active' && toSeconds(row['deleted_at']) === 0,
      endsAt: toSeconds(row['expires_at']),
      windows: { day: window('day'), week: window('week'), month: window('month') },
    });
  }
  return found;
}

async function readAccountGroups(
  reader: OldSiteReader,
  groups: ReadonlyMap<number, OldGroup>,
): Promise<Map<number, string[]>> {
  const found = new Map<number, string[]>();
  for await (const row of rowsOf(reader, 'account_groups', 'account_id')) {
    const group = groups.get(Number(row['group_id']));
    if (group === undefined || group.isDeleted) continue;
    const account = Number(row['account_id']);
    found.set(account, [...(found.get(account) ?? []), group.name].sort());
  }
  return found;
}

async function readProxies(reader: OldSiteReader): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for await (const row of rowsOf(reader, 'proxies')) {
    const name = toTrimmed(row['username']);
    const password = toTrimmed(row['password']);
    const account =
      name === '' ? '' : `${encodeURIComponent(name)}:${encodeURIComponent(password)}@`;
    const address = `${toTrimmed(row['host'])}:${toText(row['port'])}`;
    found.set(Number(row['id']), `${toTrimmed(row['protocol'])}://${account}${address}`);
  }
  return found;
}

/** Providers whose subjects are the same here, with New API's columns for them. */
const providers: Readonly<Record<string, string>> = {
  github: 'github_id',
  oidc: 'oidc_id',
  linuxdo: 'linux_do_id',
};

async function readIdentities(
  reader: OldSiteReader,
): Promise<Map<number, Readonly<Record<string, string>>>> {
  const found = new Map<number, Record<string, string>>();
  for await (const row of rowsOf(reader, 'auth_identities')) {
    const provider = toTrimmed(row['provider_type']);
    if (provider === 'email') continue;
    const user = Number(row['user_id']);
    const ofUser = found.get(user) ?? {};
    ofUser[providers[provider] ?? `other ${provider}`] = toTrimmed(row['provider_subject']);
    found.set(user, ofUser);
  }
  return found;
}

async function readFirstAdmin(reader: OldSiteReader): Promise<number> {
  for await (const row of rowsOf(reader, 'users')) {
    const isActive = toTrimmed(row['status']) === 'active' && toSeconds(row['deleted_at']) === 0;
    if (isActive && toTrimmed(row['role']) === 'admin') return Number(row['id']);
  }
  return 0;
}
