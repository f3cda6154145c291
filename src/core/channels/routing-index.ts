/**
 * Group → model → channels by priority tier, in memory, rebuilt when a channel changes
 * (docs/rules/routing.md#candidates). A channel that was just disabled is removed at once, before
 * the rebuild, and so is one that changed and cannot be read.
 */

import type { ProviderRegistry } from '../canonical/registry.ts';
import { seriesName } from '../models/series.ts';
import type { Channel, Storage } from '../storage/storage.ts';
import type { UpstreamChannel } from '../upstream/channel.ts';
import { withoutKey } from '../upstream/keyed-channel.ts';
import { prepareChannel } from '../upstream/prepare-channel.ts';
import { channelStatuses } from '../vocabulary/statuses.ts';

/** Channels of one priority. */
export interface Tier {
  readonly priority: number;
  readonly channels: readonly UpstreamChannel[];
}

export interface RoutingIndex {
  /**
   * Enabled channels for a group and a model, highest priority first; empty when there are none.
   */
  tiers(group: string, model: string): readonly Tier[];
  find(id: number): UpstreamChannel | undefined;
  /** Distinct models that a group can reach, sorted. */
  models(group: string): readonly string[];
  /** Every enabled channel that has a key. */
  all(): Iterable<UpstreamChannel>;
  /** Drops a channel until the next rebuild. */
  drop(id: number): void;
  /** Drops one of a channel's keys, and the channel with its last key. True: keys remain. */
  dropKey(id: number, keyName: string): boolean;
  /**
   * Reads these channels again; none are named: all of them. Rejects where that failed: those that
   * were named are out of the index then, because they may have been disabled; the others stay as
   * they were.
   */
  reload(ids?: readonly number[]): Promise<void>;
}

/** What the next reload reads. */
interface Reload {
  readonly ids: Set<number>;
  all: boolean;
  ended: Promise<void>;
}

/** With more channels than this, reading all of them again costs less than naming each. */
const mostNamed = 100;

/**
 * Draws a channel (docs/rules/routing.md#priority-weight): among the untried channels of the
 * highest tier that has any, with probability (weight + 10) ÷ Σ(weight + 10). `chance` is in [0,
 * 1).
 */
export function drawChannel(
  tiers: readonly Tier[],
  skip: (channel: UpstreamChannel) => boolean,
  chance: () => number,
): UpstreamChannel | undefined {
  for (const tier of tiers) {
    const open =
      tier.channels.length === 1 && !skip(tier.channels[0] as UpstreamChannel)
        ? tier.channels
        : tier.channels.filter((channel) => !skip(channel));
    if (open.length <= 1) {
      if (open.length === 1) return open[0];
      continue;
    }
    let left = chance() * open.reduce((sum, channel) => sum + channel.weight + 10, 0);
    for (const channel of open) {
      left -= channel.weight + 10;
      if (left < 0) return channel;
    }
    return open.at(-1);
  }
  return undefined;
}

export async function createRoutingIndex(
  storage: Pick<Storage, 'channels'>,
  providers: ProviderRegistry,
): Promise<RoutingIndex> {
  let byGroup = new Map<string, Map<string, Tier[]>>();
  let byId = new Map<number, UpstreamChannel>();
  /** The reload that runs, and the one that starts after it with what was requested meanwhile. */
  let running: Promise<void> = Promise.resolve();
  let waiting: Reload | undefined;

  const prepare = (records: readonly Channel[]): readonly UpstreamChannel[] =>
    records
      .filter(({ key }) => !key.isUnreadable)
      .map((record) => prepareChannel(record, providers))
      .filter((channel) => channel !== undefined)
      .filter(hasKey);
  const readAll = async (): Promise<void> => {
    byId = new Map(
      prepare(await storage.channels.listAllEnabled()).map((channel) => [channel.id, channel]),
    );
    rebuild();
  };
  /**
   * Reading thousands of channels takes a third of a second, so a change of a few reads only these.
   */
  const readSome = async (ids: readonly number[]): Promise<void> => {
    const records = await storage.channels.findMany(ids);
    for (const id of ids) byId.delete(id);
    for (const channel of prepare(
      records.filter(({ status }) => status === channelStatuses.enabled),
    ))
      byId.set(channel.id, channel);
    rebuild();
  };
  const run = async ({ ids, all }: Reload): Promise<void> => {
    try {
      await (all || ids.size > mostNamed ? readAll() : readSome([...ids]));
    } catch (error) {
      for (const id of ids) byId.delete(id);
      rebuild();
      throw error;
    }
  };
  const reload = (ids: readonly number[] = []): Promise<void> => {
    if (waiting === undefined) {
      const next: Reload = { ids: new Set(), all: false, ended: Promise.resolve() };
      next.ended = running
        .catch(() => undefined)
        .then(() => {
          waiting = undefined;
          return run(next);
        });
      waiting = next;
      running = next.ended;
    }
    for (const id of ids) waiting.ids.add(id);
    if (ids.length === 0) waiting.all = true;
    return waiting.ended;
  };
  const rebuild = (): void => {
    byGroup = buildGroups([...byId.values()]);
  };

  await reload();
  return {
    tiers: (group, model) => byGroup.get(group)?.get(seriesName(model)) ?? [],
    find: (id) => byId.get(id),
    models: (group) => [...(byGroup.get(group)?.keys() ?? [])].sort(),
    all: () => byId.values(),
    drop: (id) => {
      byId.delete(id);
      rebuild();
    },
    dropKey: (id, keyName) => {
      const channel = byId.get(id);
      if (channel === undefined) return false;
      const rest = withoutKey(channel, keyName);
      if (hasKey(rest)) byId.set(id, rest);
      else byId.delete(id);
      rebuild();
      return hasKey(rest);
    },
    reload,
  };
}

function hasKey({ keys }: UpstreamChannel): boolean {
  return keys === undefined || keys.enabled.length > 0;
}

function buildGroups(channels: readonly UpstreamChannel[]): Map<string, Map<string, Tier[]>> {
  const groups = new Map<string, Map<string, UpstreamChannel[]>>();
  for (const channel of channels) {
    for (const group of channel.groups) {
      const models = groups.get(group) ?? new Map<string, UpstreamChannel[]>();
      groups.set(group, models);
      for (const model of channel.models) {
        const members = models.get(model);
        if (members === undefined) models.set(model, [channel]);
        else members.push(channel);
      }
    }
  }
  return new Map(
    [...groups].map(([group, models]) => [
      group,
      new Map([...models].map(([model, members]) => [model, intoTiers(members)])),
    ]),
  );
}

/** Highest priority first; by id inside a tier, so that a draw is reproducible. */
function intoTiers(channels: readonly UpstreamChannel[]): Tier[] {
  const tiers = Map.groupBy(channels, ({ priority }) => priority);
  return [...tiers]
    .map(([priority, members]) => ({ priority, channels: members.sort((a, b) => a.id - b.id) }))
    .sort((a, b) => b.priority - a.priority);
}
