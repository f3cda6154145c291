/** `/v1/models` in the shape its caller reads. */
import { lastEnd } from '../../channels/model-ends.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { bareModelName, factsOf } from '../../models/known-models.ts';
import { findPrice } from '../../pricing/find-price.ts';
import type { CallerContext } from '../context.ts';
import { type ListedModel, modelListShape } from '../formats/families/model-list-shapes.ts';

/**
 * Names the caller may use: the token's own list where it is limited, else the priced models of its
 * group.
 */
export function callerModels(context: CallerContext): readonly string[] {
  const { caller, policy, deps } = context;
  if (caller.modelLimits !== null) return caller.modelLimitList;
  const { acceptUnpriced } = caller;
  return deps.routing
    .models(context.group)
    .filter(
      (model) =>
        findPrice(model, policy.prices, { selfUse: policy.selfUse, acceptUnpriced }) !== undefined,
    );
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

export function modelList(context: CallerContext): JsonObject {
  return modelListShape(context.request).list(callerModels(context), describeFor(context));
}
