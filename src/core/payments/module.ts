import type { Audit } from '../audit/audit-log.ts';
import type { Commit } from '../audit/commit.ts';
import type { Ledger } from '../billing/ledger.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { onceIn } from '../cluster/once-in.ts';
import type { Config } from '../config/schema.ts';
import type { Language } from '../i18n/translate.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { WriteLog } from '../logs/write-log.ts';
import type { RootNotices } from '../notices/notify-root.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';
import { createCalls } from '../upstream/open-upstream.ts';
import { bindApplyLookup } from './apply-lookup.ts';
import { bindCreditWallet } from './credit-wallet.ts';
import { createEpayMethod, type EpayForm, epayTypeOf } from './epay-method.ts';
import type { EpayFields } from './epay-signature.ts';
import { bindOneRefund } from './one-refund.ts';
import { bindOrderState, type OrderState } from './order-state.ts';
import { createOrderSweeper } from './order-sweeper.ts';
import type { OrderMethod, Report } from './payment-method.ts';
import { bindFindReceipt, type FindReceipt } from './receipt.ts';
import { createRedemptionMethod } from './redemption-method.ts';
import { createRedemptionService, type RedemptionService } from './redemption-service.ts';
import { createRefundOrder } from './refund-order.ts';
import { bindRefundTopUp, type RefundTopUp } from './refund-service.ts';
import { createRefundSweeper } from './refund-sweeper.ts';
import { createSettleOrder } from './settle-order.ts';
import type { TopUpRequest } from './top-up-price.ts';
import { createTopUpService, type TopUpService } from './top-up-service.ts';
import { createWechatPayClient } from './wechat-pay-client.ts';
import { createWechatPayMethod, type WechatPayNotice } from './wechat-pay-method.ts';

/** More than one, because a code may be edited while it is redeemed. */
const redeemAttempts = 3;

export interface PaymentsModuleDeps {
  readonly config: Pick<Config, 'wechatPayEndpoint'>;
  readonly cluster: Pick<Cluster, 'leases'>;
  readonly storage: Pick<Storage, 'ledger' | 'redemptions' | 'topUps' | 'users'>;
  readonly ledger: Ledger;
  readonly options: Pick<OptionStore, 'get'>;
  readonly writeLog: WriteLog;
  readonly audit: Audit;
  readonly commit: Commit;
  readonly notices: Pick<RootNotices, 'notify' | 'notifyUser'>;
  readonly siteLanguage: () => Language;
  /** The address of this site, without a trailing slash. */
  readonly baseUrl: () => string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

export interface PaymentServices {
  readonly redemptions: RedemptionService;
  readonly topUps: TopUpService;
  /**
   * Adds the quota of a code to the actor's wallet and returns it. Throws AppError code_missing,
   * code_unknown, code_used, code_expired.
   */
  redeem(actor: Actor, key: string): Promise<number>;
  /** Looks up unpaid orders at their providers: the job `payment-sweep`. */
  sweep(signal: AbortSignal): Promise<void>;
  readonly refund: RefundTopUp;
  readonly receipt: FindReceipt;
  /** Looks for refunds of paid orders at their providers: the job `refund-sweep`. */
  sweepRefunds(signal: AbortSignal): Promise<void>;
  /** The state of an own order. Throws AppError order_unknown. */
  orderState(actor: Actor, tradeNo: string): Promise<OrderState>;
  readonly wechatPay: {
    /**
     * `expiresIn`: seconds. Throws AppError payment_not_configured, payment_failed, and what
     * `priceTopUp` throws.
     */
    order(
      actor: Actor,
      request: TopUpRequest,
    ): Promise<{
      readonly tradeNo: string;
      readonly codeUrl: string;
      readonly moneyCents: number;
      readonly expiresIn: number;
    }>;
    /**
     * Handles a notice. Throws AppError if it is not accepted; WeChat Pay should then send it
     * again.
     */
    notice(notice: WechatPayNotice): Promise<void>;
  };
  readonly epay: {
    /**
     * Throws AppError payment_not_configured, payment_method_unknown, and what `priceTopUp` throws.
     */
    order(actor: Actor, request: TopUpRequest, paymentMethod: string): Promise<EpayForm>;
    /**
     * Handles a notice of the gateway. Throws AppError if it is not accepted; the gateway should
     * then send it again.
     */
    notice(fields: EpayFields): Promise<void>;
  };
}

/** Seconds. */
const sweepInterval = 300;
const sweepTimeout = 240;
const refundSweepInterval = 3600;
const refundSweepTimeout = 3000;
/** Milliseconds in which paid orders are looked up once, over all processes and restarts. */
const refundSweepPause = 23 * 3_600_000;

export function createPaymentsModule(deps: PaymentsModuleDeps): ServiceModule<PaymentServices> {
  // Sends to addresses from the site's options, which the owner sets.
  const upstream = createCalls();
  const creditWallet = bindCreditWallet(deps);
  const redemption = createRedemptionMethod(deps);
  const settle = createSettleOrder({ ...deps, creditWallet });
  const topUps = createTopUpService({ ...deps, settle });
  const epay = createEpayMethod({ ...deps, upstream });
  const client = createWechatPayClient({
    ...deps,
    upstream,
    endpoint: deps.config.wechatPayEndpoint.replace(/\/+$/, ''),
  });
  const wechatPay = createWechatPayMethod({ ...deps, client });
  const refunds = createRefundOrder(deps);
  const oneRefund = bindOneRefund(deps);
  const applyLookup = bindApplyLookup({ ...deps, settle, refunds });
  const methods = [epay, wechatPay];
  const sweep = createOrderSweeper({ ...deps, methods, applyLookup });
  const sweepRefunds = createRefundSweeper({ ...deps, methods, refunds, oneRefund });

  const accept = async (report: Report | null, { owns }: OrderMethod): Promise<void> => {
    if (report === null) return;
    if ('refund' in report) await refunds.reported(report.refund, owns);
    else await settle.reported(report.payment, owns);
  };

  return {
    services: {
      redemptions: createRedemptionService(deps),
      topUps,
      sweep,
      sweepRefunds,
      receipt: bindFindReceipt(deps),
      refund: bindRefundTopUp({ ...deps, methods, refunds, oneRefund }),
      orderState: bindOrderState({ ...deps, topUps, method: wechatPay, applyLookup }),
      redeem: async (actor, key) => {
        for (let attempt = 0; attempt < redeemAttempts; attempt += 1) {
          const credit = await redemption.verify({
            key,
            payer: { userId: actor.id, username: actor.username },
          });
          if (await creditWallet(credit)) return credit.amount;
          // The code was redeemed or edited between the check and the posting: it is checked as it
          // is now.
        }
        throw new AppError('code_used');
      },
      wechatPay: {
        order: async (actor, request) => {
          if (!wechatPay.isEnabled()) throw new AppError('payment_not_configured');
          const order = await topUps.order(actor, request, wechatPay.id);
          try {
            const { codeUrl } = await wechatPay.createOrder(order);
            return {
              tradeNo: order.tradeNo,
              codeUrl,
              moneyCents: order.moneyCents,
              expiresIn: wechatPay.orderSeconds,
            };
          } catch (error) {
            // The reason is for administrators; it may name the merchant.
            deps.logger.error(
              { error, order: order.tradeNo },
              'the payment provider did not take an order',
            );
            await topUps.refuse(order, error instanceof AppError ? error.message : 'refused');
            throw new AppError('payment_failed', {}, { cause: error });
          }
        },
        notice: async (notice) => accept(await wechatPay.verifyNotice(notice), wechatPay),
      },
      epay: {
        order: async (actor, request, paymentMethod) => {
          if (!epay.isEnabled()) throw new AppError('payment_not_configured');
          const type = epayTypeOf(paymentMethod);
          if (type === undefined) throw new AppError('payment_method_unknown');
          return epay.createOrder(await topUps.order(actor, request, type));
        },
        notice: async (fields) => accept(await epay.verifyNotice(fields), epay),
      },
    },
    jobs: [
      {
        name: 'payment-sweep',
        interval: () => sweepInterval,
        scope: 'gateway',
        timeout: sweepTimeout,
        run: sweep,
      },
      {
        name: 'refund-sweep',
        interval: () => refundSweepInterval,
        scope: 'gateway',
        timeout: refundSweepTimeout,
        run: (signal) =>
          onceIn(
            {
              leases: deps.cluster.leases,
              name: 'refund-sweep',
              owner: deps.ids.uuid(),
              period: refundSweepPause,
              longest: refundSweepTimeout * 1000,
            },
            () => sweepRefunds(signal),
          ),
      },
    ],
    close: () => upstream.close(),
  };
}
