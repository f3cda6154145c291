import type { App } from '../../core/app.ts';
import type { catalogApi } from '../../core/contract/catalog.ts';
import { translate } from '../../core/i18n/translate.ts';
import type { Handlers } from './context.ts';

export function catalogHandlers(app: App) {
  return { catalog: pricingHandlers(app) };
}

function pricingHandlers({ catalog }: App): Handlers<typeof catalogApi> {
  return {
    pricing: async (_input, context) => {
      const label = translate(context.language, 'group.own');
      const groups = catalog.groupsFor(context.actor?.group, label);
      const pick = <T>(read: (entry: { ratio: number; desc: string }) => T) =>
        Object.fromEntries(Object.entries(groups).map(([name, entry]) => [name, read(entry)]));
      return {
        data: await catalog.listPricing(),
        group_ratio: pick(({ ratio }) => ratio),
        usable_group: pick(({ desc }) => desc),
      };
    },
  };
}
