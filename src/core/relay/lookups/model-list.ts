/** `/v1/models` in the shape its caller reads. */
import type { JsonObject } from '../../kernel/json.ts';
import { findPrice } from '../../pricing/find-price.ts';
import type { CallerContext } from '../context.ts';
import { modelListShape } from '../formats/families/model-list-shapes.ts';

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

function ownersFor({ deps, group }: CallerContext): (model: string) => string {
  return (model) => deps.routing.tiers(group, model)[0]?.channels[0]?.provider.slug ?? 'custom';
}

export function modelEntry(context: CallerContext, model: string): JsonObject {
  return modelListShape(context.request).entry(model, ownersFor(context));
}

export function modelList(context: CallerContext): JsonObject {
  return modelListShape(context.request).list(callerModels(context), ownersFor(context));
}
