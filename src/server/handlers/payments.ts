import type { App } from '../../core/app.ts';
import {
  mostRedemptionsPerCall,
  type redemptionApi,
  type walletApi,
} from '../../core/contract/redemption.ts';
import type { topUpApi } from '../../core/contract/top-up.ts';
import { readFilters } from '../../core/entities/filters.ts';
import { redemptionFilters } from '../../core/entities/redemption-filters.ts';
import { topUpFilters } from '../../core/entities/top-up-filters.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { presentRedemption } from '../../core/payments/present-redemption.ts';
import { presentReceipt, presentTopUp, presentYuan } from '../../core/payments/present-top-up.ts';
import { readRedemptionInput } from '../../core/payments/redemption-service.ts';
import { yuanText } from '../../core/payments/top-up-price.ts';
import { roles } from '../../core/vocabulary/roles.ts';
import { actorOf, type Handlers, pageReply, pageRequest } from './context.ts';

export function paymentHandlers(app: App) {
  return {
    redemption: redemptionHandlers(app),
    wallet: walletHandlers(app),
    topUp: topUpHandlers(app),
  };
}

function redemptionHandlers({ payments: { redemptions } }: App): Handlers<typeof redemptionApi> {
  const pageOf = async (input: {
    readonly p: number;
    readonly page_size: number;
    readonly keyword?: string;
    readonly state?: number | undefined;
  }) => {
    const filter = readFilters(redemptionFilters, input);
    const page = await redemptions.page(filter, pageRequest(input.p, input.page_size));
    return pageReply(page, input, presentRedemption);
  };
  return {
    list: pageOf,
    search: pageOf,
    get: async ({ id }) => presentRedemption(await redemptions.get(id)),
    create: async (input, context) => {
      const created = await redemptions.createMany(
        actorOf(context),
        readRedemptionInput(input),
        input.count,
      );
      return created.map(({ key }) => key);
    },
    createBatch: async (input, context) => {
      const { count } = input;
      const fields = readRedemptionInput(input);
      return {
        items: [
          ...(await redemptions.createMany(
            actorOf(context),
            fields,
            count,
            mostRedemptionsPerCall,
          )),
        ],
      };
    },
    removeInvalid: (_input, context) => redemptions.removeInvalid(actorOf(context)),
    update: async ({ id, status, status_only, ...input }, context) => {
      if (!status_only)
        return presentRedemption(
          await redemptions.update(actorOf(context), id, readRedemptionInput(input)),
        );
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

function topUpHandlers({
  payments: { epay, orderState, receipt, refund, topUps, wechatPay },
}: App): Handlers<typeof topUpApi> {
  return {
    amount: ({ amount, top_up_code }, context) => {
      const { moneyCents, quota, price, groupRatio, discount } = topUps.price(actorOf(context), {
        amount,
        topUpCode: top_up_code,
      });
      return { data: yuanText(moneyCents), quota, price, group_ratio: groupRatio, discount };
    },
    pay: ({ amount, top_up_code, payment_method }, context) =>
      epay.order(actorOf(context), { amount, topUpCode: top_up_code }, payment_method),
    wechatPay: async ({ amount, top_up_code }, context) => {
      const { tradeNo, codeUrl, moneyCents, expiresIn } = await wechatPay.order(actorOf(context), {
        amount,
        topUpCode: top_up_code,
      });
      return {
        code_url: codeUrl,
        trade_no: tradeNo,
        money: presentYuan(moneyCents),
        expires_in: expiresIn,
      };
    },
    state: async ({ trade_no }, context) => ({
      trade_no,
      status: await orderState(actorOf(context), trade_no),
    }),
    list: async (input, context) => {
      const actor = actorOf(context);
      const { user = '', ...filter } = readFilters(topUpFilters, input);
      const userId = await topUps.payerFilter(actor, {
        userId: input.user_id,
        username: user,
        isSelf: input.scope === 'self',
      });
      const [{ items, total }, income] = await Promise.all([
        topUps.page({ ...filter, userId }, pageRequest(input.page, input.page_size)),
        topUps.income(userId),
      ]);
      return {
        records: items.map((order) => presentTopUp(order, actor.role >= roles.admin)),
        total,
        page: input.page,
        page_size: input.page_size,
        todayIncome: presentYuan(income.today),
        monthIncome: presentYuan(income.month),
        yearIncome: presentYuan(income.year),
      };
    },
    receipt: async ({ trade_no }, context) => {
      const actor = actorOf(context);
      return presentReceipt(await receipt(actor, trade_no), actor.role >= roles.admin);
    },
    complete: async ({ trade_no }, context) =>
      presentTopUp(await topUps.complete(actorOf(context), trade_no), true),
    refund: async ({ trade_no, ...input }, context) =>
      presentTopUp(await refund(actorOf(context), { ...input, tradeNo: trade_no }), true),
  };
}
