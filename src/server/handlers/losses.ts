import type { App } from '../../core/app.ts';
import type { lossesApi } from '../../core/contract/losses.ts';
import type { Handlers } from './context.ts';

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
      belowCost: ({ values }) =>
        losses.belowCost(values).map(({ channelId, channel, ...price }) => ({
          ...price,
          channel: channelId,
          name: channel,
        })),
    },
  };
}
