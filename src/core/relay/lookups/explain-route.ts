/**
 * Which channels a request would try, in which order and why (docs/rules/routing.md#route-explain).
 */
import type { Tier } from '../../channels/routing-index.ts';
import type { OutputOf } from '../../contract/endpoint.ts';
import type { routesApi } from '../../contract/routes.ts';
import { AppError } from '../../kernel/errors.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';
import { mapModel } from '../../upstream/rules/model-mapping.ts';
import type { RelayDeps } from '../context.ts';
import type { Router } from '../select/router.ts';

export type RouteExplanation = OutputOf<typeof routesApi.explain>;
type Explained = RouteExplanation['tiers'][number]['channels'][number];

function upstreamName(
  model: string,
  mapping: Readonly<Record<string, string>>,
): { name: string; problem: string } {
  try {
    return { name: mapModel(model, mapping), problem: '' };
  } catch (error) {
    return { name: model, problem: error instanceof AppError ? error.code : 'internal_error' };
  }
}

function explainChannel(channel: UpstreamChannel, router: Router, model: string): Explained {
  const { name, problem } = upstreamName(model, channel.modelMapping);
  const { state, retryIn, unavailability, coolingFor } = router.view(channel, model);
  const { total = 1, enabled } = channel.keys ?? {};
  return {
    id: channel.id,
    name: channel.name,
    type: channel.type,
    weight: channel.weight,
    share: 0,
    upstream_model: name,
    state,
    retry_in: retryIn,
    cooling_for: coolingFor,
    keys: total,
    keys_off: total - (enabled?.length ?? total),
    skipped: unavailability ?? problem,
  };
}

function explainTier(tier: Tier, router: Router, model: string): RouteExplanation['tiers'][number] {
  const channels = tier.channels.map((channel) => explainChannel(channel, router, model));
  const isDrawn = ({ skipped }: Explained) => skipped !== 'breaker' && skipped !== 'cool_down';
  const sum = channels.filter(isDrawn).reduce((total, { weight }) => total + weight + 10, 0);
  return {
    priority: tier.priority,
    channels: channels.map((channel) =>
      isDrawn(channel) ? { ...channel, share: (channel.weight + 10) / sum } : channel,
    ),
  };
}

export function explainRoute(
  routing: RelayDeps['routing'],
  router: Router,
  model: string,
  group: string,
): RouteExplanation {
  return {
    model,
    group,
    tiers: routing.tiers(group, model).map((tier) => explainTier(tier, router, model)),
  };
}
