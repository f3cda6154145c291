import type { App } from '../../core/app.ts';
import type { lossesApi } from '../../core/contract/losses.ts';
import type { PriceBelowCost } from '../../core/losses/below-cost.ts';
import type { Handlers } from './context.ts';

export function presentBelowCost({ channelId, channel, ...price }: PriceBelowCost) {
  return { ...price, channel: channelId, name: channel };
}

export function lossHandlers({ losses }: App): { losses: Handlers<typeof lossesApi> } {
  return {
    losses: {
      list: async (_input, { language }) =>
        (await losses.list(language)).map(
          ({ kind, channelId, channelName, model, since, text }) => ({
            kind,
            channel: channelId,
            name: channelName,
            model,
            since,
            text,
          }),
        ),
      belowCost: ({ values }) => losses.belowCost(values).map(presentBelowCost),
    },
  };
}
