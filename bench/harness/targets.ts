/** The processes that a scenario is measured on. */
import { join } from 'node:path';
import { startGateway } from './gateway.ts';
import type { LoadTarget } from './load-order.ts';
import { type PostgresSite, startPostgresSite } from './postgres-site.ts';
import { removeFolder, startScript, stop } from './processes.ts';
import type { Scenario } from './scenarios.ts';
import type { Sites } from './site.ts';
import { allKeys } from './user-rows.ts';

export interface Target extends LoadTarget {
  readonly name: string;
  /** 0: not known, its use is not measured. */
  readonly pid: number;
  /** The database's own process, whose CPU belongs to the gateway's. */
  readonly databasePid?: number;
  /** Lists the newest log rows; gateways only. */
  list?(): Promise<unknown>;
  close(): Promise<void>;
}

/** A build of the gateway in one durability. */
export interface Variant {
  readonly name: string;
  readonly build: string;
  readonly durability: string;
  readonly sites: Sites;
  /** On PostgreSQL with so many processes; absent: on SQLite. */
  readonly workers?: number;
}

export interface Cores {
  readonly gateway?: number | undefined;
  readonly others?: number | undefined;
}

const script = (name: string) => join(import.meta.dirname, '..', name);
const urlOf = (port: string) => `http://127.0.0.1:${port}`;

/** `port` 0: any that is free. */
export async function startUpstream(cores: Cores, port: string): Promise<LoadTarget> {
  const started = startScript([script('mock-upstream.ts'), port], {}, cores.others);
  return { url: urlOf(await started.firstLine(/^(\d+)$/)), keys: ['x'] };
}

async function startBareRelay(upstream: string, cores: Cores): Promise<Target> {
  const started = startScript([script('bare-relay.ts'), upstream], {}, cores.gateway);
  const url = urlOf(await started.firstLine(/^(\d+)$/));
  return { name: 'bare relay', url, keys: ['x'], pid: started.pid, close: () => stop(started) };
}

/** A gateway of any kind that runs already and relays to the upstream of the benchmark. */
export const runningTarget = (url: string, header: string | undefined, pid = 0): Target => ({
  name: 'the other gateway',
  url,
  keys: ['x'],
  header,
  pid,
  close: async () => undefined,
});

type StartedSite = Pick<PostgresSite, 'gateway' | 'close'> & Partial<PostgresSite>;

async function startSite(
  variant: Variant,
  scenario: Scenario,
  upstream: string,
  cores: Cores,
): Promise<StartedSite> {
  const { build, workers } = variant;
  if (workers !== undefined) return startPostgresSite(build, upstream, workers, cores.gateway);
  const folder = await variant.sites.folder(scenario.logRows, upstream);
  const gateway = await startGateway({ ...variant, folder, core: cores.gateway });
  return {
    gateway,
    async close() {
      await stop(gateway.started);
      removeFolder(folder);
    },
  };
}

async function startVariant(
  variant: Variant,
  scenario: Scenario,
  upstream: string,
  cores: Cores,
  budgets: readonly object[] = [],
): Promise<Target> {
  const { gateway, databasePid, close } = await startSite(variant, scenario, upstream, cores);
  for (const budget of budgets) await gateway.call('POST', '/api/turnpike/budgets', budget);
  let page = 0;
  return {
    name: variant.name,
    url: gateway.url,
    keys: allKeys.slice(0, scenario.users),
    pid: gateway.started.pid,
    ...(databasePid !== undefined && { databasePid }),
    async list() {
      page = (page % 50) + 1;
      await gateway.call('GET', `/api/log/?page_size=100&p=${page}`);
      await gateway.call('GET', '/api/log/stat');
    },
    close,
  };
}

/** Wide enough that nothing is refused: of each user, of each token, of all, of each conversation. */
const amount = 1_000_000_000_000_000;
const ofAll = { owner: 'group', owner_id: 'default', amount };
const benchBudgets = [
  { ...ofAll, each: 'user', period: 'day' },
  { ...ofAll, each: 'token', period: 'week' },
  { ...ofAll, period: 'month' },
  {
    ...ofAll,
    each: 'conversation',
    period: 'total',
    most_requests: 1_000_000,
    most_minutes: 1_000_000,
    most_repeats: 1000,
  },
];

/** The first variant without budgets and with them: the ratio is what they cost. */
async function startBudgeted(
  [variant]: readonly Variant[],
  ...rest: readonly [scenario: Scenario, upstream: string, cores: Cores]
): Promise<readonly Target[]> {
  if (variant === undefined) return [];
  const plain = { ...(await startVariant(variant, ...rest)), name: 'no budgets' };
  return [plain, await startVariant(variant, ...rest, benchBudgets)];
}

/**
 * The bare relay first. New processes for each scenario, so that none inherits memory of the one
 * before.
 */
export async function startTargets(
  variants: readonly Variant[],
  scenario: Scenario,
  upstream: string,
  cores: Cores,
  others: readonly Target[] = [],
): Promise<readonly Target[]> {
  if (scenario.isBudgeted === true) return startBudgeted(variants, scenario, upstream, cores);
  const targets = [await startBareRelay(upstream, cores)];
  for (const variant of variants)
    targets.push(await startVariant(variant, scenario, upstream, cores));
  return [...targets, ...others];
}
