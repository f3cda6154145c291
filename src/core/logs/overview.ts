import type { ChannelHealth, Overview } from '../contract/overview.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { parseObject } from '../kernel/json.ts';
import { startOfLocalDay } from '../kernel/local-time.ts';
import type { ChannelStatus, QuotaData, Storage } from '../storage/storage.ts';
import { type ChannelState, channelStates } from '../vocabulary/channel-states.ts';
import { channelStatuses } from '../vocabulary/statuses.ts';
import type { ChannelTraffic, TrafficMeter } from './traffic-meter.ts';

export interface OverviewDeps {
  readonly storage: Pick<Storage, 'quotaData' | 'requestOutcomes' | 'channels' | 'logs'>;
  readonly traffic: TrafficMeter;
  readonly clock: Clock;
  readonly version: string;
  /** When the process started, in Unix seconds. */
  readonly startedAt: number;
  readonly baseUrl: () => string;
  /** Whether the circuit breaker keeps traffic away from a channel now. */
  readonly isCircuitOpen: (channelId: number) => boolean;
  /** Background jobs that should have succeeded again by now. */
  readonly lateJobs: () => Promise<readonly { readonly name: string }[]>;
  /** Models of enabled channels that have ended or soon will. */
  readonly endingModels: () => readonly EndingModel[];
  /** Free megabytes of the disk where they are few. */
  readonly lowDiskSpace: () => Promise<number | undefined>;
  /** Other gateways of this database that share no limits with this one. */
  readonly separateNodes: () => Promise<
    readonly { readonly host: string; readonly address: string }[]
  >;
}

interface HealthDeps extends Pick<OverviewDeps, 'isCircuitOpen'> {
  readonly storage: Pick<Storage, 'channels'>;
}

/** What the overview says of a model that ends. */
interface EndingModel {
  readonly model: string;
  readonly ends: string;
  readonly successor?: string;
  readonly channels: readonly { readonly id: number }[];
}

const maxModels = 8;
/** Seconds for which the ends of models count, which all models of all channels are looked up for. */
const endsLast = 60;
/** Models that end, at most: every open dashboard asks for them again and again. */
const mostEnding = 20;
/** Channels that are listed where nobody says how many. */
const usualChannels = 8;

/**
 * All data of a live screen, for the whole site or for one user (contract/overview.ts).
 * `mostChannels`: how many are listed.
 */
export function bindOverview(
  deps: OverviewDeps,
): (userId?: number, mostChannels?: number) => Promise<Overview> {
  const { storage, clock } = deps;
  let known = { at: Number.NEGATIVE_INFINITY, models: [] as Overview['ending_models'] };
  const endingAt = (now: number) => {
    if (now - known.at >= endsLast)
      known = { at: now, models: deps.endingModels().slice(0, mostEnding).map(describeEnd) };
    return known.models;
  };
  return async (userId, mostChannels = usualChannels) => {
    const now = nowSeconds(clock);
    const from = startOfLocalDay(clock.now());
    const rows =
      userId === undefined
        ? await storage.quotaData.listSums({ from })
        : await storage.quotaData.list({ from, userId });
    const { unlogged: _, ...outcomes } = await storage.requestOutcomes.sum({ from, userId });
    const traffic = deps.traffic.snapshot();
    const own =
      userId === undefined ? null : await storage.logs.stat({ userId, from: now, to: now }, now);
    const site = userId === undefined;
    const channels = site ? await listHealth(deps, traffic.channels) : [];
    const worst = worstOf(channels, mostChannels);
    const named = await storage.channels.listNames(worst.map(({ channel }) => channel.id));
    const names = new Map(named.map((name) => [name.id, name]));
    return {
      started_at: deps.startedAt,
      version: deps.version,
      base_url: deps.baseUrl(),
      rpm: own?.rpm ?? traffic.rpm,
      tpm: own?.tpm ?? traffic.tpm,
      spent_today: sumOf(rows, (row) => row.quota),
      requests_today: sumOf(rows, (row) => row.count),
      ...outcomes,
      prompt_tokens: site ? traffic.promptTokens : 0,
      cached_tokens: site ? traffic.cachedTokens : 0,
      requests_by_minute: site ? [...traffic.requestsByMinute] : [],
      tokens_by_minute: site ? [...traffic.tokensByMinute] : [],
      quota_by_minute: site ? [...traffic.quotaByMinute] : [],
      failed_by_minute: site ? [...traffic.failedByMinute] : [],
      models: rankModels(rows),
      ending_models: site ? endingAt(now) : [],
      late_jobs: site ? (await deps.lateJobs()).map(({ name }) => name) : [],
      disk_left: (site ? await deps.lowDiskSpace() : undefined) ?? -1,
      separate_nodes: site
        ? (await deps.separateNodes()).map(({ host, address }) => ({ host, address }))
        : [],
      channel_states: countStates(channels),
      channels: worst.flatMap((health) => {
        const name = names.get(health.channel.id);
        return name === undefined ? [] : [describeHealth(health, name, traffic.channels)];
      }),
    };
  };
}

/** Ids of the channels that are in a state now (docs/rules/usage-logs.md#channel-states). */
export function bindChannelStates(
  deps: HealthDeps & Pick<OverviewDeps, 'traffic'>,
): (state: ChannelState) => Promise<readonly number[]> {
  return async (wanted) =>
    (await listHealth(deps, deps.traffic.snapshot().channels))
      .filter(({ state }) => state === wanted)
      .map(({ channel }) => channel.id);
}

type ChannelName = Awaited<ReturnType<Storage['channels']['listNames']>>[number];

interface Health {
  readonly channel: ChannelStatus;
  readonly isTripped: boolean;
  readonly state: ChannelState;
}

async function listHealth(
  { storage, isCircuitOpen }: HealthDeps,
  traffic: ReadonlyMap<number, ChannelTraffic>,
): Promise<readonly Health[]> {
  return (await storage.channels.listStates()).map((channel) => {
    const isTripped = isCircuitOpen(channel.id);
    return { channel, isTripped, state: stateOf(channel, traffic.get(channel.id), isTripped) };
  });
}

function describeEnd({
  model,
  ends,
  successor = '',
  channels,
}: EndingModel): Overview['ending_models'][number] {
  return { model, ends, successor, channels: channels.map(({ id }) => id) };
}

function countStates(channels: readonly Health[]): Overview['channel_states'] {
  const counts = Object.fromEntries(channelStates.map((state) => [state, 0]));
  for (const { state } of channels) counts[state] = (counts[state] ?? 0) + 1;
  return counts as Overview['channel_states'];
}

/** Of each state the newest first; thousands of channels are not sorted for eight of them. */
function worstOf(channels: readonly Health[], most: number): readonly Health[] {
  const worst: Health[] = [];
  for (const wanted of channelStates) {
    if (worst.length >= most) break;
    const inState = channels.filter(({ state }) => state === wanted);
    worst.push(...inState.sort((one, other) => other.channel.id - one.channel.id));
  }
  return worst.slice(0, most);
}

/** docs/rules/usage-logs.md#channel-states. */
function stateOf(
  { status, testTime, isTestFailed }: ChannelStatus,
  traffic: ChannelTraffic | undefined,
  isTripped: boolean,
): ChannelState {
  if (status === channelStatuses.autoDisabled) return 'auto_disabled';
  if (status !== channelStatuses.enabled) return 'disabled';
  if (isTripped) return 'cooling';
  const last = traffic?.recent.at(-1);
  const isTestNewer = testTime > (traffic?.lastAt ?? 0);
  if (isTestNewer ? isTestFailed : last === 2) return 'failing';
  return last === undefined && testTime === 0 ? 'untested' : 'working';
}

function describeHealth(
  { channel, isTripped, state }: Health,
  { name, type, otherInfo }: ChannelName,
  traffics: ReadonlyMap<number, ChannelTraffic>,
): ChannelHealth {
  const traffic = traffics.get(channel.id);
  const { status_reason: reason, status_time: time } = parseObject(otherInfo) ?? {};
  return {
    id: channel.id,
    state,
    name,
    type,
    status: channel.status,
    response_time: traffic?.responseTime ?? 0,
    recent: [...(traffic?.recent ?? [])],
    status_reason: typeof reason === 'string' ? reason : '',
    status_time: typeof time === 'number' ? time : 0,
    requests: traffic?.requests ?? 0,
    tripped: isTripped,
  };
}

function rankModels(rows: readonly QuotaData[]): Overview['models'] {
  const byModel = new Map<string, { model_name: string; quota: number; count: number }>();
  for (const row of rows) {
    const entry = byModel.get(row.modelName) ?? { model_name: row.modelName, quota: 0, count: 0 };
    entry.quota += row.quota;
    entry.count += row.count;
    byModel.set(row.modelName, entry);
  }
  return [...byModel.values()]
    .sort((a, b) => b.quota - a.quota || b.count - a.count)
    .slice(0, maxModels);
}

function sumOf(rows: readonly QuotaData[], value: (row: QuotaData) => number): number {
  return rows.reduce((total, row) => total + value(row), 0);
}
