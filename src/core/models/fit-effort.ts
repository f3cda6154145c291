import { type ReasoningEffort, reasoningEfforts } from '../vocabulary/reasoning-efforts.ts';

const indexOf = (effort: ReasoningEffort) => reasoningEfforts.indexOf(effort);

/**
 * The effort that a model takes in place of the requested one (docs/rules/models.md#fit-effort):
 * that one, else the nearest, of two the higher. `none` and `max` are given only
 * where they were requested. Undefined: the model takes none at all.
 */
export function fitEffort(
  wanted: ReasoningEffort,
  efforts: readonly ReasoningEffort[],
): ReasoningEffort | undefined {
  if (efforts.includes(wanted)) return wanted;
  const others = efforts.filter((effort) => effort !== 'none' && effort !== 'max');
  const choices = wanted === 'max' || others.length === 0 ? efforts : others;
  let best: ReasoningEffort | undefined;
  for (const effort of choices) {
    const distance = Math.abs(indexOf(effort) - indexOf(wanted));
    const least =
      best === undefined ? Number.POSITIVE_INFINITY : Math.abs(indexOf(best) - indexOf(wanted));
    if (distance < least || (distance === least && indexOf(effort) > indexOf(best ?? 'none')))
      best = effort;
  }
  return best;
}
