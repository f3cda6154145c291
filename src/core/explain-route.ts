import type { RoutingIndex, Tier } from './channels/routing-index.ts';
import { mapModel } from './relay/map-model.ts';

/** Every channel's weight counts ten more in the draw (spec, relay 6). */
const weightBase = 10;

/** Which channels a request would try, in which order and why (design, product 4). */
export function explainRoute(routing: RoutingIndex, model: string, group: string) {
  return { model, group, tiers: routing.tiers(group, model).map((tier) => describeTier(tier, model)) };
}

function describeTier({ priority, channels }: Tier, model: string) {
  const sum = channels.reduce((total, channel) => total + channel.weight + weightBase, 0);
  return {
    priority,
    channels: channels.map((channel) => ({
      id: channel.id,
      name: channel.name,
      type: channel.type,
      weight: channel.weight,
      share: (channel.weight + weightBase) / sum,
      upstream_model: mapModel(model, channel.modelMapping),
      skipped: '',
    })),
  };
}
