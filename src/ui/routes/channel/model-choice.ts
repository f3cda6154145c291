/** The models that an upstream offers, beside those that a channel has. */
import { isObject, parseJson } from '../../../core/kernel/json.ts';

export interface OfferedModel {
  readonly name: string;
  /** `new`: the channel does not have it. `missing`: the channel has it, the upstream does not. */
  readonly state: 'new' | 'present' | 'missing';
}

/**
 * Missing models first, because they need a decision, then the upstream's in its order. A model
 * that the mapping renames is missing only if the upstream lacks the model it is renamed to.
 */
export function offeredModels(
  upstream: readonly string[],
  current: readonly string[],
  mapping: string,
): readonly OfferedModel[] {
  const offered = new Set(upstream);
  const parsed = parseJson(mapping);
  const renamed = isObject(parsed) ? parsed : {};
  const isOffered = (name: string) => offered.has(name) || offered.has(String(renamed[name] ?? ''));
  const kept = current.filter((name) => !offered.has(name));
  return [
    ...kept.filter((name) => !isOffered(name)).map((name) => ({ name, state: 'missing' }) as const),
    ...[...offered].map(
      (name) => ({ name, state: current.includes(name) ? 'present' : 'new' }) as const,
    ),
    ...kept.filter(isOffered).map((name) => ({ name, state: 'present' }) as const),
  ];
}

/** The chosen models: those of the channel in their order, then the others in the upstream's. */
export function chosenModels(
  models: readonly OfferedModel[],
  current: readonly string[],
  chosen: ReadonlySet<string>,
): readonly string[] {
  const added = models.filter(({ state }) => state === 'new').map(({ name }) => name);
  return [...current, ...added].filter((name) => chosen.has(name));
}
