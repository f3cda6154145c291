import type { App } from '../../core/app.ts';
import type { redemptionApi, walletApi } from '../../core/contract/redemption.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { presentRedemption } from '../../core/payments/present-redemption.ts';
import { readRedemptionInput } from '../../core/payments/redemption-service.ts';
import { actorOf, type Handlers, pageReply, pageRequest } from './context.ts';

export function paymentHandlers(app: App) {
  return { redemption: redemptionHandlers(app), wallet: walletHandlers(app) };
}

function redemptionHandlers({ payments: { redemptions } }: App): Handlers<typeof redemptionApi> {
  return {
    list: async (input) => pageReply(await redemptions.page({}, pageRequest(input.p, input.page_size)), input, presentRedemption),
    search: async (input) => {
      const page = await redemptions.page({ keyword: input.keyword.trim() }, pageRequest(input.p, input.page_size));
      return pageReply(page, input, presentRedemption);
    },
    get: async ({ id }) => presentRedemption(await redemptions.get(id)),
    create: async (input, context) => [
      ...(await redemptions.createMany(actorOf(context), readRedemptionInput(input), input.count)),
    ],
    update: async ({ id, status, status_only, ...input }, context) => {
      if (!status_only) return presentRedemption(await redemptions.update(actorOf(context), id, readRedemptionInput(input)));
      if (status === undefined) throw new AppError('invalid_parameter', { field: 'status' });
      return presentRedemption(await redemptions.setStatus(actorOf(context), id, status));
    },
    remove: async ({ id }, context) => {
      await redemptions.remove(actorOf(context), id);
    },
  };
}

function walletHandlers({ payments }: App): Handlers<typeof walletApi> {
  return { redeem: ({ key }, context) => payments.redeem(actorOf(context), key) };
}
