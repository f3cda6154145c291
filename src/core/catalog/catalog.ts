import type { PricingRow } from '../contract/catalog.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';

/** Group name → its ratio for this user, and its description. */
export type GroupMap = Readonly<Record<string, { readonly ratio: number; readonly desc: string }>>;

/** Whether a user accepts models without a price. */
export interface Consent {
  readonly acceptUnpriced?: boolean;
}

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
  /**
   * The price list's rows that a customer is offered: what has a price, or is called without one
   * (docs/rules/pricing.md#offered).
   */
  offered(consent?: Consent): Promise<readonly PricingRow[]>;
  /** Distinct offered models over all groups the user may use, sorted. */
  modelsFor(userGroup: string, consent?: Consent): Promise<readonly string[]>;
  /** Distinct models of all enabled channels, sorted. */
  enabledModels(): Promise<readonly string[]>;
}

const visitorGroup = 'default';

/** Names such as `constructor` are no entries. */
function entryOf<Value>(map: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

export function createCatalog(deps: {
  options: Pick<OptionStore, 'get'>;
  storage: Pick<Storage, 'abilities'>;
  listPricing: () => Promise<readonly PricingRow[]>;
}): Catalog {
  const { options, storage, listPricing } = deps;

  const offered: Catalog['offered'] = async ({ acceptUnpriced = false } = {}) => {
    const rows = await listPricing();
    if (acceptUnpriced || options.get('SelfUseModeEnabled')) return rows;
    return rows.filter(({ unpriced }) => !unpriced);
  };

  const usableGroups: Catalog['usableGroups'] = (userGroup, ownLabel = '') => {
    const ratios = options.get('GroupRatio');
    const open = options.get('UserUsableGroups');
    const byGroup = options.get('GroupGroupRatio');
    const special = entryOf(byGroup, userGroup) ?? {};
    const names = Object.keys(ratios).filter(
      (name) => Object.hasOwn(open, name) || name === userGroup,
    );
    return Object.fromEntries(
      names.sort().map((name) => [
        name,
        {
          ratio: entryOf(special, name) ?? ratios[name] ?? 1,
          desc: entryOf(open, name) ?? ownLabel,
        },
      ]),
    );
  };

  return {
    usableGroups,
    groupsFor: (userGroup = visitorGroup, ownLabel) => usableGroups(userGroup, ownLabel),
    groupNames: () => Object.keys(options.get('GroupRatio')).sort(),
    offered,
    modelsFor: async (userGroup, consent) => {
      const usable = new Set(Object.keys(usableGroups(userGroup)));
      return (await offered(consent))
        .filter(({ enable_groups }) => enable_groups.some((group) => usable.has(group)))
        .map(({ model_name }) => model_name);
    },
    enabledModels: () => storage.abilities.enabledModels(),
  };
}
