import type { Audit } from '../audit/audit-log.ts';
import { requireAllowed } from '../entities/require-allowed.ts';
import { type Language, translate } from '../i18n/translate.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Listing, PageRequest, Storage, TopUp, TopUpFilter } from '../storage/storage.ts';
import { roles } from '../vocabulary/roles.ts';
import type { SettleOrder } from './settle-order.ts';
import { priceTopUp, type TopUpPrice, type TopUpRequest, yuanText } from './top-up-price.ts';

/** Cents that were paid in the current day, month and year of the server's time zone. */
export interface Income {
  readonly today: number;
  readonly month: number;
  readonly year: number;
}

export type TopUpRecord = TopUp & { readonly username: string };

export interface WantedPayer {
  /** An administrator's own orders only. */
  readonly isSelf: boolean;
  readonly userId?: number | undefined;
  /** Empty: any. */
  readonly username: string;
}

export interface TopUpService {
  /** Throws what `priceTopUp` throws. */
  price(actor: Actor, request: TopUpRequest): TopUpPrice;
  /** Stores an unpaid order. Throws what `priceTopUp` throws. */
  order(actor: Actor, request: TopUpRequest, paymentMethod: string): Promise<TopUp>;
  /** Marks an order failed that its provider refused. */
  refuse(order: TopUp, note: string): Promise<void>;
  /**
   * Whose orders the actor sees: only the actor's own, or for administrators those of a user or of
   * all (undefined).
   */
  payerFilter(actor: Actor, wanted: WantedPayer): Promise<number | undefined>;
  /** Newest first. */
  page(filter: TopUpFilter, page: PageRequest): Promise<Listing<TopUpRecord>>;
  /** Of one user or of all. */
  income(userId?: number): Promise<Income>;
  /** Throws AppError order_unknown, also for the order of another user. */
  ownOrder(actor: Actor, tradeNo: string): Promise<TopUp>;
  /**
   * Credits an order that the actor knows to be paid. Throws AppError order_unknown,
   * order_already_paid, and for an order of one's own or of a user of one's level
   * own_quota_forbidden, user_update_forbidden.
   */
  complete(actor: Actor, tradeNo: string): Promise<TopUpRecord>;
}

export interface TopUpDeps {
  readonly storage: Pick<Storage, 'topUps' | 'users'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly settle: SettleOrder;
  readonly audit: Audit;
  readonly siteLanguage: () => Language;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'alphanumeric'>;
}

/** An id that no user has. */
const nobody = 0;

/** Orders of quota that is paid online (docs/rules/payments.md#orders). */
export function createTopUpService(deps: TopUpDeps): TopUpService {
  const { storage, options, settle, audit, clock } = deps;

  const find = async (tradeNo: string): Promise<TopUp> => {
    const order = await storage.topUps.findByTradeNo(tradeNo);
    if (order === null) throw new AppError('order_unknown');
    return order;
  };

  const withPayers = async (orders: readonly TopUp[]): Promise<readonly TopUpRecord[]> => {
    const payers = await storage.users.findMany([...new Set(orders.map(({ userId }) => userId))]);
    const names = new Map(payers.map(({ id, username }) => [id, username]));
    return orders.map((order) => ({ ...order, username: names.get(order.userId) ?? '' }));
  };

  const price: TopUpService['price'] = (actor, request) =>
    priceTopUp(request, actor.group, options);

  return {
    price,
    order: async (actor, request, paymentMethod) => {
      const { moneyCents, quota } = price(actor, request);
      const createTime = nowSeconds(clock);
      const tradeNo = `USR${actor.id}NO${deps.ids.alphanumeric(6)}${createTime}`;
      await storage.topUps.insert({
        amount: request.amount,
        topUpCode: request.topUpCode,
        userId: actor.id,
        moneyCents,
        quota,
        tradeNo,
        status: 'pending',
        paymentMethod,
        goodsName: translate(deps.siteLanguage(), 'order.goods_name', {
          money: yuanText(moneyCents),
        }),
        createTime,
      });
      return find(tradeNo);
    },
    refuse: async (order, note) => {
      await storage.topUps.fail(order.tradeNo, note);
    },
    payerFilter: async (actor, { isSelf, userId, username }) => {
      if (actor.role < roles.admin || isSelf) return actor.id;
      if (userId !== undefined || username === '') return userId;
      return (await storage.users.findByUsername(username))?.id ?? nobody;
    },
    page: async (filter, request) => {
      const { items, total } = await storage.topUps.page(filter, request);
      return { items: await withPayers(items), total };
    },
    income: async (userId) => {
      const now = new Date(clock.now());
      const year = now.getFullYear();
      const month = now.getMonth();
      const since = (start: Date) =>
        storage.topUps.sumPaid({ from: Math.floor(start.getTime() / 1000) }, userId);
      const [paidToday, paidInMonth, paidInYear] = await Promise.all([
        since(new Date(year, month, now.getDate())),
        since(new Date(year, month)),
        since(new Date(year, 0)),
      ]);
      return { today: paidToday, month: paidInMonth, year: paidInYear };
    },
    ownOrder: async (actor, tradeNo) => {
      const order = await find(tradeNo);
      if (order.userId !== actor.id) throw new AppError('order_unknown');
      return order;
    },
    complete: async (actor, tradeNo) => {
      const order = await find(tradeNo);
      const target = await storage.users.find(order.userId);
      if (target === null) throw new AppError('not_found');
      requireAllowed('credit-order', { actor, target });
      if (!(await settle.byHand(order, { actor_id: actor.id, actor: actor.username })))
        throw new AppError('order_already_paid');
      const { userId, quota, moneyCents, paymentMethod } = order;
      await audit.record(actor, 'topup.complete', tradeNo, {
        userId,
        quota,
        money: yuanText(moneyCents),
        paymentMethod,
      });
      // It is credited: what cannot be read now is known.
      const credited = await find(tradeNo).catch(() => ({
        ...order,
        status: 'success' as const,
        finishTime: nowSeconds(clock),
      }));
      return { ...credited, username: target.username };
    },
  };
}
