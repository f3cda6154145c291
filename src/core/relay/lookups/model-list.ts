/** `/v1/models` in the shape its caller reads. */
import { lastEnd } from '../../channels/model-ends.ts';
import { canServeModel } from '../../channels/offered.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { bareModelName, factsOf } from '../../models/known-models.ts';
import { findPrice } from '../../pricing/find-price.ts';
import type { Caller } from '../../tokens/token-directory.ts';
import type { CallerContext } from '../context.ts';
import { type ListedModel, modelListShape } from '../formats/families/model-list-shapes.ts';

/**
 * Names the caller may use now: those of its token's list, or all, that some channel of its group
 * can serve and that have a price (docs/rules/pricing.md#offered).
 */
export async function callerModels(context: CallerContext): Promise<readonly string[]> {
  const { caller, policy, deps, group } = context;
  const { acceptUnpriced } = caller;
  const given = await deps.givenTypes();
  return namesFor(caller, deps.routing.models(group)).filter(
    (model) =>
      findPrice(model, policy.prices, { selfUse: policy.selfUse, acceptUnpriced }) !== undefined &&
      deps.routing
        .tiers(group, model)
        .some(({ channels }) => channels.some((channel) => canServeModel(channel, model, given))),
  );
}

/** All `routed` names, or those of the token's list and all that its entries with a `*` allow. */
function namesFor(
  { modelLimits, modelLimitList }: Caller,
  routed: readonly string[],
): readonly string[] {
  if (modelLimits === null) return routed;
  const names = modelLimitList.flatMap((limit) =>
    limit.endsWith('*') ? routed.filter((name) => name.startsWith(limit.slice(0, -1))) : [limit],
  );
  return [...new Set(names)];
}

/** What the channels of the caller's group and the catalogue say of a model. */
function describeFor({ deps, group }: CallerContext): (model: string) => ListedModel {
  return (model) => {
    const channels = deps.routing.tiers(group, model).flatMap((tier) => tier.channels);
    const { inputTokens, outputTokens, reads, writes } = factsOf(bareModelName(model));
    return {
      owner: channels[0]?.provider.slug ?? 'custom',
      ...lastEnd(channels, model),
      inputTokens,
      outputTokens,
      reads,
      writes,
    };
  };
}

export function modelEntry(context: CallerContext, model: string): JsonObject {
  return modelListShape(context.request).entry(model, describeFor(context));
}

export async function modelList(context: CallerContext): Promise<JsonObject> {
  return modelListShape(context.request).list(await callerModels(context), describeFor(context));
}
