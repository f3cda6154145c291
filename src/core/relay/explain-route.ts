/** Which channels a request would try, in which order and why (design, product 4). */
import type { Tier } from '../channels/routing-index.ts';
import type { OutputOf } from '../contract/endpoint.ts';
import type { turnpikeApi } from '../contract/turnpike.ts';
import { AppError } from '../kernel/errors.ts';
import { mapModel } from './map-model.ts';
import type { RelayParts } from './parts.ts';

export type RouteExplanation = OutputOf<typeof turnpikeApi.routeExplain>;

function upstreamName(model: string, mapping: Readonly<Record<string, string>>): { name: string; problem: string } {
  try {
    return { name: mapModel(model, mapping), problem: '' };
  } catch (error) {
    return { name: model, problem: error instanceof AppError ? error.code : 'internal_error' };
  }
}

function explainTier(model: string, tier: Tier): RouteExplanation['tiers'][number] {
  const sum = tier.channels.reduce((total, channel) => total + channel.weight + 10, 0);
  return {
    priority: tier.priority,
    channels: tier.channels.map((channel) => {
      const { name, problem } = upstreamName(model, channel.modelMapping);
      return {
        id: channel.id,
        name: channel.name,
        type: channel.type,
        weight: channel.weight,
        share: (channel.weight + 10) / sum,
        upstream_model: name,
        skipped: problem,
      };
    }),
  };
}

export function explainRoute(routing: RelayParts['routing'], model: string, group: string): RouteExplanation {
  return { model, group, tiers: routing.tiers(group, model).map((tier) => explainTier(model, tier)) };
}
