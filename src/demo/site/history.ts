/**
 * The weeks behind the demo site: who joined, paid and called when. One list of events, done in the
 * order of their times.
 */
import { roles } from '../../core/vocabulary/roles.ts';
import {
  channelStatuses,
  redemptionStatuses,
  tokenStatuses,
} from '../../core/vocabulary/statuses.ts';
import type { Random } from '../random.ts';
import { drawCall, sendCall } from './calls.ts';
import { type DemoChannel, demoChannels } from './channels.ts';
import type { PastSite } from './past-site.ts';
import { placeOrder, topUp } from './payments.ts';
import { type DemoUser, demoUsers } from './people.ts';
import { drawTime, type Span } from './times.ts';

/** A user's token and what it is used for. */
export interface Customer {
  readonly username: string;
  /** With `sk-`. */
  readonly key: string;
  readonly models: readonly (readonly [string, number])[];
  readonly activity: number;
  /** What the work is for. */
  readonly tag: string;
  /** Milliseconds since the Unix epoch. */
  readonly since: number;
}

export interface HistoryEvent {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly happen: () => Promise<void>;
}

export interface HistoryDeps {
  readonly site: PastSite;
  readonly random: Random;
  readonly span: Span;
  readonly requests: number;
  readonly upstreamUrl: string;
  readonly password: string;
}

export const quotaPerUnit = 500_000;

/** The events of the history, sorted, and the list of customers that they fill. */
export function planHistory(deps: HistoryDeps): {
  events: readonly HistoryEvent[];
  customers: readonly Customer[];
} {
  const { random, span, requests } = deps;
  const customers: Customer[] = [];
  const events: HistoryEvent[] = [];
  const at = (share: number): number => span.start + share * (span.end - span.start);
  for (const channel of demoChannels) {
    events.push({ at: at(channel.isLate ? 0.75 : 0), happen: () => addChannel(deps, channel) });
  }
  for (const user of demoUsers) {
    const since = at(user.joins * 0.95);
    events.push({
      at: since,
      happen: async () => void customers.push(...(await join(deps, user, since))),
    });
    const again = user.joins + (1 - user.joins) * 0.6;
    if (user.units >= 1)
      events.push({ at: at(again), happen: () => pay(deps, user, user.units / 2) });
  }
  for (let count = 0; count < requests; count += 1) {
    const time = drawTime(random, span);
    events.push({ at: time, happen: () => call(deps, customers, time) });
  }
  events.push({ at: at(0.5), happen: () => setBudgets(deps) });
  events.push({ at: at(0.8), happen: () => useExpiredKey(deps, customers) });
  // The payers went away: the first order was closed since, the second one still waits.
  events.push({ at: at(0.7), happen: () => abandonOrder(deps, 'priya') });
  events.push({ at: span.end - 1_200_000, happen: () => abandonOrder(deps, 'shop') });
  events.push({ at: span.end, happen: () => finish(deps) });
  return { events: events.sort((a, b) => a.at - b.at), customers };
}

async function addChannel({ site, upstreamUrl }: HistoryDeps, channel: DemoChannel): Promise<void> {
  const { behaviour, isLate: _, isDisabled: __, ...fields } = channel;
  await site.operator.channel.create({
    key: `demo-key-${behaviour}`,
    ...fields,
    base_url: `${upstreamUrl}/${behaviour}`,
  });
}

async function join(deps: HistoryDeps, user: DemoUser, since: number): Promise<Customer[]> {
  const { operator } = deps.site;
  const { username, display_name, group, role = roles.user } = user;
  await operator.user.create({ username, display_name, group, role, password: deps.password });
  await pay(deps, user, user.units);
  const made: Customer[] = [];
  for (const { expiresAfterDays, isDisabled: _, ...fields } of user.tokens) {
    const { key } = await operator.userTokens.create({
      ...fields,
      user: username,
      unlimited_quota: fields.remain_quota === undefined,
      model_limits_enabled: fields.model_limits !== undefined,
      expired_time:
        expiresAfterDays === undefined
          ? -1
          : Math.floor(deps.span.start / 1000) + expiresAfterDays * 86_400,
    });
    const models =
      fields.model_limits === undefined ? user.models : ([[fields.model_limits, 1]] as const);
    // The first token is the one that is used most.
    made.push({
      username,
      key: `sk-${key}`,
      models,
      activity: user.activity / (made.length * 3 + 1),
      tag: `app:${fields.name}`,
      since,
    });
  }
  return made;
}

async function pay({ site }: HistoryDeps, user: DemoUser, units: number): Promise<void> {
  const quota = Math.round(units * quotaPerUnit);
  const id = await userId(site, user.username);
  if (user.pays === 'granted')
    return void (await site.operator.user.grant({ user_id: id, quota, remark: 'monthly budget' }));
  if (user.pays !== 'redeems') return topUp(site, id, units, user.pays);
  const [key = ''] = await site.operator.redemption.create({
    name: `${units} units`,
    quota,
    count: 1,
  });
  await (await site.as(id)).wallet.redeem({ key });
}

async function abandonOrder({ site }: HistoryDeps, username: string): Promise<void> {
  await placeOrder(site, await userId(site, username), 20, 'alipay');
}

async function userId({ operator }: PastSite, username: string): Promise<number> {
  const { items } = await operator.user.search({ keyword: username });
  const user = items.find((item) => item.username === username);
  if (user === undefined) throw new Error(`the demo site has no user ${username}`);
  return user.id;
}

async function call(
  { site, random }: HistoryDeps,
  customers: readonly Customer[],
  time: number,
): Promise<void> {
  const present = customers.filter(({ since }) => since <= time);
  if (present.length === 0) return;
  const customer = random.pickWeighted(present.map((one) => [one, one.activity] as const));
  const drawn = drawCall(random, random.pickWeighted(customer.models));
  await sendCall(site.url, customer, drawn);
}

/** Limits that nobody reaches, so that their bars show something and all requests go through. */
async function setBudgets({ site: { operator } }: HistoryDeps): Promise<void> {
  const month = { owner: 'group', period: 'month' } as const;
  for (const [group, units] of [
    ['research', 1],
    ['vip', 5],
  ] as const)
    await operator.budgets.create({
      ...month,
      name: `${group}, monthly`,
      owner_id: group,
      amount: units * quotaPerUnit,
    });
  await operator.budgets.create({
    ...month,
    name: 'each person per day',
    owner_id: 'default',
    each: 'user',
    period: 'day',
    amount: quotaPerUnit,
  });
}

/** Two refusals within a minute: the gateway disables the channel automatically. */
async function useExpiredKey({ site }: HistoryDeps, customers: readonly Customer[]): Promise<void> {
  const customer = customers.find(({ username }) => username === 'amelie');
  if (customer === undefined) return;
  const body = {
    model: 'gpt-5.6-sol',
    messages: [{ role: 'user', content: 'Summarise this abstract in two sentences.' }],
  };
  for (let count = 0; count < 4; count += 1)
    await sendCall(site.url, customer, { path: '/v1/chat/completions', body });
}

/** The administrator's work of today: disables some rows, creates codes, tests every channel. */
async function finish(deps: HistoryDeps): Promise<void> {
  const { operator } = deps.site;
  for (const user of demoUsers) {
    const id = await userId(deps.site, user.username);
    if (user.isDisabled) await operator.user.manage({ id, action: 'disable' });
    const { items } = await operator.userTokens.list({ user_id: id });
    for (const { name } of user.tokens.filter((token) => token.isDisabled)) {
      const token = items.find((item) => item.name === name);
      if (token !== undefined)
        await operator.userTokens.update({ id: token.id, status: tokenStatuses.disabled });
    }
  }
  await createCodes(deps);
  const { items: channels } = await operator.channel.list({ page_size: 100 });
  for (const { id, name } of channels) {
    await operator.channel.test({ id }).catch(() => undefined);
    await operator.channel.updateBalance({ id }).catch(() => undefined);
    const planned = demoChannels.find((channel) => channel.name === name);
    if (planned?.isDisabled)
      await operator.channel.update({ id, status: channelStatuses.disabled });
  }
}

/** Codes in every state that an operator sees. */
async function createCodes({ site, span }: HistoryDeps): Promise<void> {
  const { redemption } = site.operator;
  const inDays = (days: number) => Math.floor(span.end / 1000) + days * 86_400;
  await redemption.create({
    name: 'Workshop',
    quota: 2 * quotaPerUnit,
    count: 12,
    expired_time: inDays(30),
  });
  await redemption.create({
    name: 'Newsletter',
    quota: quotaPerUnit,
    count: 3,
    expired_time: Math.floor(span.end / 1000) + 60,
  });
  const [lost] = (
    await redemption.createBatch({ name: 'Sent twice', quota: 5 * quotaPerUnit, count: 1 })
  ).items;
  if (lost !== undefined)
    await redemption.update({
      id: lost.id,
      status: redemptionStatuses.disabled,
      status_only: true,
    });
}
