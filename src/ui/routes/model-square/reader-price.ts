/** What a model costs its reader, and whether the reader can call it. */
import type { CatalogModel } from '../../../core/contract/model-square.ts';
import { catalogStatuses } from '../../../core/vocabulary/model-square.ts';

/** A group that the reader may use. */
export interface ReaderGroup {
  readonly name: string;
  readonly ratio: number;
  readonly own: boolean;
}

/**
 * The groups through which the reader can call the model, with the own one first, then the
 * cheapest.
 */
export function callableGroups(
  model: CatalogModel,
  groups: readonly ReaderGroup[],
): readonly ReaderGroup[] {
  return groups
    .filter(({ name }) => model.enable_group.includes(name))
    .sort((a, b) => Number(b.own) - Number(a.own) || a.ratio - b.ratio);
}

/**
 * The group whose price stands for the model: the first that can call it, else the reader's own.
 */
export function priceGroup(model: CatalogModel, groups: readonly ReaderGroup[]): ReaderGroup {
  return (
    callableGroups(model, groups)[0] ??
    groups.find(({ own }) => own) ?? { name: '', ratio: 1, own: true }
  );
}

export type Availability = 'disabled' | 'unserved' | 'other-groups' | 'available';

export function availabilityOf(model: CatalogModel, groups: readonly ReaderGroup[]): Availability {
  if (model.status === catalogStatuses.disabled) return 'disabled';
  if (model.enable_group.length === 0) return 'unserved';
  return callableGroups(model, groups).length > 0 ? 'available' : 'other-groups';
}
