/**
 * The money of one submit: priced, held in full, charged once with the change of its row
 * (docs/rules/tasks.md#submit).
 */
import { type NewLog, windowIds } from '../../billing/index.ts';
import { blankLog } from '../../entities/log.ts';
import { type Decimal, multiply, one, toNumber, toText } from '../../kernel/decimal.ts';
import { AppError } from '../../kernel/errors.ts';
import { toQuota } from '../../kernel/quota.ts';
import { priceCalls } from '../../pricing/cost.ts';
import {
  type CallPrice,
  findPrice,
  groupRatioFor,
  specialGroupRatio,
} from '../../pricing/find-price.ts';
import { priceFields } from '../../pricing/price-fields.ts';
import { taskPrice } from '../../pricing/task-price.ts';
import { videoTerms } from '../../pricing/video-ratios.ts';
import type { Guard } from '../../storage/ledger/guards.ts';
import type { RefundedCharge } from '../../storage/ledger/settlement.ts';
import type { TaskPrivate } from '../../tasks/task-private.ts';
import { logTypes } from '../../vocabulary/log-types.ts';
import { joinTags } from '../../vocabulary/tags.ts';
import { type Attempt, servedSteps } from '../attempt.ts';
import type { PricingContext } from '../charge/charge.ts';
import { type Held, holdFor } from '../charge/hold.ts';
import { recordServed } from '../charge/record-traffic.ts';
import { rollupOf } from '../charge/rollup-of.ts';
import { tagsOf } from '../charge/tags.ts';
import { upstreamCost } from '../charge/upstream-cost.ts';
import type { CallerContext } from '../context.ts';
import type { TaskOrder } from '../task-call.ts';

function priceOf(
  { policy, caller }: CallerContext,
  { model, unpriced, video }: TaskOrder,
): CallPrice {
  const price = findPrice(model, policy.prices, { perSecond: video !== undefined });
  const isRefused = unpriced === 'refuse' && !policy.selfUse && !caller.acceptUnpriced;
  if (price === undefined && isRefused) throw new AppError('model_price_error', { model });
  return taskPrice(price);
}

type Ratios = Readonly<Record<string, Decimal>>;

/** What a charge is written from. */
export interface ChargedTask {
  readonly attempt: Attempt;
  /** False: the upstream does it for nothing. */
  readonly isCharged: boolean;
  readonly taskName: string;
  /** When it was accepted, in clock milliseconds. */
  readonly now: number;
}

export class TaskBill {
  readonly #context: CallerContext;
  readonly #order: TaskOrder;
  readonly #pricing: PricingContext & { readonly price: CallPrice };
  /** What multiplies the price, by name for the log row: length and resolution of a video. */
  readonly #ratios: Ratios;
  readonly #factor: Decimal;
  readonly #held: Held;
  readonly #tags: readonly string[];
  #closed = false;

  private constructor(
    context: CallerContext,
    order: TaskOrder,
    price: CallPrice,
    ratios: Ratios,
    held: Held,
    tags: readonly string[],
  ) {
    const { policy, caller, group } = context;
    const groupRatio = groupRatioFor(caller.userGroup, group, policy.prices);
    this.#context = context;
    this.#order = order;
    this.#pricing = { model: order.model, price, groupRatio, quotaPerUnit: policy.quotaPerUnit };
    this.#ratios = ratios;
    this.#factor = Object.values(ratios).reduce(multiply, one);
    this.#held = held;
    this.#tags = tags;
  }

  /**
   * Prices the order and holds all that it costs. Throws AppError model_price_error,
   * tags_invalid and what the ledger throws.
   */
  static async open(context: CallerContext, order: TaskOrder): Promise<TaskBill> {
    const { policy, caller } = context;
    const { model, video } = order;
    const own = priceOf(context, order);
    const { price, ratios = {} } =
      video === undefined ? { price: own } : videoTerms(model, video, own, policy.videoRatios);
    const groupRatio = groupRatioFor(caller.userGroup, context.group, policy.prices);
    const { quota: amount } = priceCalls(
      Object.values(ratios).reduce(multiply, price.price),
      1,
      groupRatio,
      policy.quotaPerUnit,
    );
    const tags = tagsOf(context);
    const held = await holdFor(context, order.model, { amount, tokens: 0 }, { tags });
    return new TaskBill(context, order, price, ratios, held, tags);
  }

  /** What the row keeps of the price. */
  get facts(): TaskPrivate {
    const { price, groupRatio, quotaPerUnit } = this.#pricing;
    const ratios = Object.entries(this.#ratios).map(([name, ratio]) => [name, toText(ratio)]);
    return {
      group: this.#context.group,
      token_name: this.#context.caller.tokenName,
      model: this.#order.model,
      model_price: toText(price.price),
      group_ratio: toText(groupRatio),
      ...(ratios.length > 0 && {
        ratios: Object.fromEntries(ratios),
        quota_per_unit: toText(quotaPerUnit),
      }),
    };
  }

  async release(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#held.release();
  }

  /** What would be taken back if the task failed. */
  chargeOf({ attempt, isCharged, now }: ChargedTask): RefundedCharge {
    const { policy, caller } = this.#context;
    const pricing = this.#pricing;
    const { price } = pricing;
    const charge = priceCalls(
      multiply(price.price, this.#factor),
      isCharged ? 1 : 0,
      pricing.groupRatio,
      pricing.quotaPerUnit,
    );
    const { video } = this.#order;
    const used = { usage: {}, source: 'upstream' as const, price, charge, ...(video && { video }) };
    const cost = isCharged
      ? upstreamCost(attempt.channel.cost, { upstreamModel: attempt.upstreamModel, pricing, used })
      : undefined;
    return {
      amount: charge.quota,
      tokenId: caller.tokenId,
      channelId: attempt.channel.id,
      windows: windowIds(this.#held.hold),
      rollup: policy.dataExport
        ? rollupOf(this.#context, {
            modelName: pricing.model,
            tokens: 0,
            cost,
            tags: this.#tags,
            keyName: attempt.channel.keyName,
            now,
          })
        : null,
    };
  }

  /**
   * Charges and changes the row, together. Throws AppError ledger_conflict where the row was ended
   * meanwhile; nothing is charged then.
   */
  async settle(
    charged: ChargedTask,
    { amount, channelId, rollup }: RefundedCharge,
    guard: Guard,
  ): Promise<void> {
    const { deps, caller, policy } = this.#context;
    this.#closed = true;
    const log = policy.logConsume ? this.#logRow(charged, amount) : null;
    const balance = await this.#held.settle(
      { amount: toQuota(amount), channelId, log, rollup, guard },
      0,
    );
    const { attempt, now } = charged;
    const { channel, upstreamModel } = attempt;
    recordServed(
      this.#context,
      { channel, upstreamModel, stream: false, steps: servedSteps(attempt, now) },
      { model: this.#order.model, usage: {}, quota: amount, now },
    );
    if (balance < (caller.warnBelow ?? policy.warnBelow)) deps.quotaWarnings.note(caller.userId);
  }

  #logRow({ attempt, taskName, now }: ChargedTask, amount: number): NewLog {
    const context = this.#context;
    const { caller, group, requestId, policy, startedAt, route, address } = context;
    const { model, price, groupRatio, quotaPerUnit } = this.#pricing;
    const elapsed = Math.max(0, now - startedAt);
    const steps = servedSteps(attempt, now);
    return {
      ...blankLog,
      userId: caller.userId,
      username: caller.username,
      createdAt: Math.floor(now / 1000),
      type: logTypes.consume,
      tokenName: caller.tokenName,
      tokenId: caller.tokenId,
      modelName: model,
      quota: amount,
      useTime: Math.round(elapsed / 1000),
      channelId: attempt.channel.id,
      group,
      requestId,
      tags: joinTags(this.#tags),
      other: JSON.stringify({
        ...priceFields(
          {},
          price,
          groupRatio,
          specialGroupRatio(caller.userGroup, group, policy.prices),
        ),
        quota_per_unit: toNumber(quotaPerUnit),
        task_id: taskName,
        action: this.#order.action,
        ...this.#measured(),
        ...(attempt.upstreamModel !== model && {
          is_model_mapped: true,
          upstream_model_name: attempt.upstreamModel,
        }),
        group,
        request_path: route.path,
        use_ms: Math.round(elapsed),
        admin_info: {
          use_channel: steps.map(({ channel }) => String(channel)),
          route: steps,
          ip: address,
          held: this.#held.hold.amount,
        },
      }),
    };
  }

  /** What the row says of a video that was priced by the second. */
  #measured(): object {
    const ratios = Object.entries(this.#ratios);
    if (ratios.length === 0) return {};
    const { resolution, silent } = this.#order.video ?? {};
    return {
      ratios: Object.fromEntries(ratios.map(([name, ratio]) => [name, toNumber(ratio)])),
      video_resolution: silent === true ? `${resolution} silent` : resolution,
    };
  }
}
