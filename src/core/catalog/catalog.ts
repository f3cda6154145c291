import type { OptionStore } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';

/** Group name → its ratio for this user, and its description. */
export type GroupMap = Readonly<Record<string, { readonly ratio: number; readonly desc: string }>>;

/**
 * Which groups and models exist, and which users may use them
 * (docs/rules/accounts.md#usable-groups).
 */
export interface Catalog {
  /**
   * Groups that have a ratio and are open to users, plus the user's own. `ownLabel` describes it if
   * it has no description.
   */
  usableGroups(userGroup: string, ownLabel?: string): GroupMap;
  /** The same by user id. Undefined: a visitor, who belongs to the group `default`. */
  groupsFor(userGroup: string | undefined, ownLabel?: string): GroupMap;
  /** Sorted names of all groups that have a ratio. */
  groupNames(): readonly string[];
  /** Distinct models of enabled channels over all groups the user may use, sorted. */
  modelsFor(userGroup: string): Promise<readonly string[]>;
  /** Distinct models of all enabled channels, sorted. */
  enabledModels(): Promise<readonly string[]>;
}

const visitorGroup = 'default';

export function createCatalog(deps: {
  options: Pick<OptionStore, 'get'>;
  storage: Pick<Storage, 'abilities'>;
}): Catalog {
  const { options, storage } = deps;

  const usableGroups: Catalog['usableGroups'] = (userGroup, ownLabel = '') => {
    const ratios = options.get('GroupRatio');
    const open = options.get('UserUsableGroups');
    const byGroup = options.get('GroupGroupRatio');
    const special = (Object.hasOwn(byGroup, userGroup) ? byGroup[userGroup] : undefined) ?? {};
    const names = Object.keys(ratios).filter(
      (name) => Object.hasOwn(open, name) || name === userGroup,
    );
    return Object.fromEntries(
      names
        .sort()
        .map((name) => [
          name,
          { ratio: special[name] ?? ratios[name] ?? 1, desc: open[name] ?? ownLabel },
        ]),
    );
  };

  return {
    usableGroups,
    groupsFor: (userGroup = visitorGroup, ownLabel) => usableGroups(userGroup, ownLabel),
    groupNames: () => Object.keys(options.get('GroupRatio')).sort(),
    modelsFor: (userGroup) => storage.abilities.enabledModels(Object.keys(usableGroups(userGroup))),
    enabledModels: () => storage.abilities.enabledModels(),
  };
}
