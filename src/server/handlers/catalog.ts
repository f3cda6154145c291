import type { App } from '../../core/app.ts';
import type { catalogApi } from '../../core/contract/catalog.ts';
import type { Handlers } from './context.ts';

export function catalogHandlers(app: App): Handlers<typeof catalogApi> {
  return {
    pricing: async (_input, context) => {
      const label = app.translate(context.language, 'group.own');
      const groups =
        context.actor === null ? app.catalog.visitorGroups(label) : app.catalog.usableGroups(context.actor.group, label);
      const pick = <T>(read: (entry: { ratio: number; desc: string }) => T) =>
        Object.fromEntries(Object.entries(groups).map(([name, entry]) => [name, read(entry)]));
      return { data: await app.listPricing(), group_ratio: pick(({ ratio }) => ratio), usable_group: pick(({ desc }) => desc) };
    },
  };
}
