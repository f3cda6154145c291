/**
 * Group → model → channels by priority tier, in memory, rebuilt when a channel changes
 * (docs/rules/routing.md#candidates). A channel that was just disabled is removed at once, before the rebuild.
 */

import type { ProviderRegistry } from '../canonical/registry.ts';
import type { Storage } from '../storage/storage.ts';
import type { UpstreamChannel } from '../upstream/channel.ts';
import { withoutKey } from '../upstream/keyed-channel.ts';
import { prepareChannel } from '../upstream/prepare-channel.ts';

/** Channels of one priority. */
export interface Tier {
  readonly priority: number;
  readonly channels: readonly UpstreamChannel[];
}

export interface RoutingIndex {
  /** Enabled channels for a group and a model, highest priority first; empty when there are none. */
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
  reload(): Promise<void>;
}

/** Model names that share one entry, as in One API and New API (docs/rules/routing.md#candidates). */
function routedName(model: string): string {
  if (model.startsWith('gpt-4-gizmo')) return 'gpt-4-gizmo-*';
  if (model.startsWith('gpt-4o-gizmo')) return 'gpt-4o-gizmo-*';
  return model;
}

/**
 * Draws a channel (docs/rules/routing.md#priority-weight): among the untried channels of the highest tier that has
 * any, with probability (weight + 10) ÷ Σ(weight + 10). `chance` is in [0, 1).
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

export async function createRoutingIndex(storage: Pick<Storage, 'channels'>, providers: ProviderRegistry): Promise<RoutingIndex> {
  let byGroup = new Map<string, Map<string, Tier[]>>();
  let byId = new Map<number, UpstreamChannel>();
  let generation = 0;

  const reload = async (): Promise<void> => {
    generation += 1;
    const startGeneration = generation;
    const records = await storage.channels.listAllEnabled();
    // A later reload has newer rows, so this result is dropped.
    if (startGeneration !== generation) return;
    const channels = records.map((record) => prepareChannel(record, providers)).filter((channel) => channel !== undefined);
    byId = new Map(channels.filter(hasKey).map((channel) => [channel.id, channel]));
    rebuild();
  };
  const rebuild = (): void => {
    byGroup = buildGroups([...byId.values()]);
  };

  await reload();
  return {
    tiers: (group, model) => byGroup.get(group)?.get(routedName(model)) ?? [],
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
      for (const model of channel.models) models.set(model, [...(models.get(model) ?? []), channel]);
    }
  }
  return new Map(
    [...groups].map(([group, models]) => [group, new Map([...models].map(([model, members]) => [model, intoTiers(members)]))]),
  );
}

/** Highest priority first; by id inside a tier, so that a draw is reproducible. */
function intoTiers(channels: readonly UpstreamChannel[]): Tier[] {
  const priorities = [...new Set(channels.map((channel) => channel.priority))].sort((a, b) => b - a);
  return priorities.map((priority) => ({
    priority,
    channels: channels.filter((channel) => channel.priority === priority).sort((a, b) => a.id - b.id),
  }));
}
