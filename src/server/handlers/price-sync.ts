import type { App } from '../../core/app.ts';
import type { priceSyncApi } from '../../core/contract/price-sync.ts';
import type { Impact } from '../../core/price-sync/price-impact.ts';
import { actorOf, type Handlers } from './context.ts';
import { presentBelowCost } from './losses.ts';

const present = ({ requests, paid, wouldPay }: Impact) => ({
  requests,
  paid,
  would_pay: wouldPay,
});
const none: Impact = { requests: 0, paid: 0, wouldPay: 0 };

export function priceSyncHandlers({ priceSync }: App): Handlers<typeof priceSyncApi> {
  return {
    preview: async ({ all, days, ...source }) => {
      const preview = await priceSync.preview(source, all, days);
      const { models, same, found, impact, belowCost } = preview;
      return {
        found,
        models: models.map(({ model, changes, version }) => ({
          model,
          version,
          changes: [...changes],
          ...present(impact.models.get(model) ?? none),
        })),
        same: [...same],
        below_cost: belowCost.map(presentBelowCost),
        skipped: [...preview.skipped],
        users: impact.users.map(({ userId, username, ...sums }) => ({
          user_id: userId,
          username,
          ...present(sums),
        })),
        partial: impact.isPartial,
      };
    },
    apply: async (request, context) => {
      await priceSync.apply(actorOf(context), request);
      return undefined;
    },
  };
}
