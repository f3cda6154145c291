import type { App } from '../../core/app.ts';
import type { GroupMap } from '../../core/catalog/catalog.ts';
import type { catalogApi } from '../../core/contract/catalog.ts';
import type { modelSquareApi } from '../../core/contract/model-square.ts';
import { translate } from '../../core/i18n/translate.ts';
import { isAdmin } from '../../core/vocabulary/roles.ts';
import { actorOf, type Handlers } from './context.ts';

export function catalogHandlers(app: App) {
  return { catalog: pricingHandlers(app), modelSquare: modelSquareHandlers(app) };
}

function mapGroups<T>(groups: GroupMap, read: (group: GroupMap[string]) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, read(group)]));
}

/** Administrators also see what has no price, marked, so that they can mend it. */
function pricingHandlers({ accounts, catalog }: App): Handlers<typeof catalogApi> {
  return {
    pricing: async (_input, context) => {
      const groups = catalog.groupsFor(
        context.actor?.group,
        translate(context.language, 'group.own'),
      );
      return {
        data: [
          ...(context.actor !== null && isAdmin(context.actor.role)
            ? await catalog.listPricing()
            : await catalog.offered(await accounts.own.consentOf(context.actor))),
        ],
        group_ratio: mapGroups(groups, ({ ratio }) => ratio),
        usable_group: mapGroups(groups, ({ desc }) => desc),
      };
    },
    unpriced: async ({ models }) => catalog.unpriced(models),
  };
}

function modelSquareHandlers({ accounts, catalog }: App): Handlers<typeof modelSquareApi> {
  const { square } = catalog;
  return {
    list: async (filter, context) => ({
      data: await square.list(filter, await accounts.own.consentOf(context.actor)),
      group_ratio: mapGroups(catalog.groupsFor(context.actor?.group), ({ ratio }) => ratio),
    }),
    filters: () => square.choices(),
    manage: async ({ p = 1, page_size, ...filter }) => {
      const rows = await square.entries(filter);
      const items = page_size === undefined ? rows : rows.slice((p - 1) * page_size, p * page_size);
      return { items, total: rows.length };
    },
    add: (input, context) => square.add(actorOf(context), input),
    update: (input, context) => square.update(actorOf(context), input),
    remove: async ({ model }, context) => {
      await square.remove(actorOf(context), model);
      return undefined;
    },
  };
}
