import type { App } from '../../core/app.ts';
import { Reply } from '../../core/contract/envelope.ts';
import type { optionApi } from '../../core/contract/option.ts';
import { translate } from '../../core/i18n/translate.ts';
import { actorOf, type Handlers } from './context.ts';

export function siteHandlers(app: App) {
  return { option: optionHandlers(app) };
}

function optionHandlers({ accounts, site: { options } }: App): Handlers<typeof optionApi> {
  return {
    list: ({ with_flags = false }, context) => [...options.list(actorOf(context), with_flags)],
    set: async ({ key, value, below_cost: belowCost }, context) => {
      await options.set(actorOf(context), key, value, { belowCost });
    },
    setMany: async ({ values, below_cost: belowCost }, context) => {
      await options.setMany(actorOf(context), values, { belowCost });
    },
    reset: async ({ key, below_cost: belowCost }, context) => {
      await options.reset(actorOf(context), key, { belowCost });
    },
    oidcDiscovery: async ({ well_known }) => {
      const { jwks_uri: _, ...document } = await accounts.oidcDiscovery.read(well_known.trim());
      return document;
    },
    resetModelRatio: async ({ below_cost: belowCost }, context) => {
      await options.reset(actorOf(context), 'ModelRatio', { belowCost });
      return new Reply(undefined, translate(context.language, 'reply.ratios_reset'));
    },
  };
}
