/**
 * The money of one request: priced, held before the upstream is called, settled once with what was
 * used.
 */
import type { ChargeRequest } from '../../billing/index.ts';
import type { Usage } from '../../canonical/usage.ts';
import { zero } from '../../kernel/decimal.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Quota } from '../../kernel/quota.ts';
import { defaultOutputTokens } from '../../pricing/estimate.ts';
import { findPrice, groupRatioFor, type ModelPrice } from '../../pricing/find-price.ts';
import type { AttemptOutcome } from '../attempt.ts';
import type { ContainerClaim } from '../container-time.ts';
import type { CallerContext } from '../context.ts';
import type { CallerFormat } from '../formats/shared/caller-format.ts';
import type { JobBill } from '../job.ts';
import { chargeUsage, type PricingContext } from './charge.ts';
import { type BillRequest, estimateHold } from './estimate-hold.ts';
import type { HeldExtras } from './held-extras.ts';
import { type Held, holdFor } from './hold.ts';
import { recordServed } from './record-traffic.ts';
import { rollupOf } from './rollup-of.ts';
import { tagsOf } from './tags.ts';
import { withToolUse } from './tool-use.ts';
import { upstreamCost } from './upstream-cost.ts';
import { usageLogRow } from './usage-log-row.ts';

export class Bill implements JobBill {
  readonly #context: CallerContext;
  readonly #format: CallerFormat;
  readonly #pricing: PricingContext;
  readonly #held: Held;
  readonly #tags: readonly string[];
  readonly #extras: HeldExtras | undefined;
  #closed = false;
  #charged = 0 as Quota;
  #claim: ContainerClaim | undefined;

  constructor(
    context: CallerContext,
    format: CallerFormat,
    pricing: PricingContext,
    held: Held,
    tags: readonly string[],
    extras: HeldExtras | undefined,
  ) {
    this.#tags = tags;
    this.#extras = extras;
    this.#context = context;
    this.#format = format;
    this.#pricing = pricing;
    this.#held = held;
  }

  get countsSpeech(): boolean {
    return this.#pricing.measure?.speaks === true && this.#pricing.price.kind === 'ratio';
  }

  get charged(): Quota {
    return this.#charged;
  }

  async release(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#held.release();
  }

  /**
   * Charges; resolves when the charge is on disk, so that the last bytes of the answer may be sent,
   * with the usage it was charged for: clients are shown no other. Undefined when it was settled
   * before.
   */
  async settle(outcome: AttemptOutcome): Promise<Usage | undefined> {
    if (this.#closed) return undefined;
    // At once: counting may take a while.
    this.#closed = true;
    const { deps, caller, policy } = this.#context;
    const { usage, charge, tokens } = await this.#chargeFor(outcome).catch(
      async (error: unknown) => {
        // Whatever went wrong before the ledger took it: the hold must not stay.
        this.#claim?.drop();
        await this.#held.release();
        throw error;
      },
    );
    const balance = await this.#settleHold(charge, tokens);
    this.#charged = charge.amount;
    if (balance < (caller.warnBelow ?? policy.warnBelow)) deps.quotaWarnings.note(caller.userId);
    return usage;
  }

  /** After a crash before the charge is on disk, its containers are owed by the next request. */
  async #settleHold(charge: ChargeRequest, tokens: number): Promise<Quota> {
    const claim = this.#claim;
    if (claim === undefined) return this.#held.settle(charge, tokens);
    try {
      const balance = await this.#held.settle(charge, tokens);
      await claim.keep();
      return balance;
    } finally {
      claim.drop();
    }
  }

  async #chargeFor(
    given: AttemptOutcome,
  ): Promise<{ readonly usage: Usage; readonly charge: ChargeRequest; readonly tokens: number }> {
    const context = this.#context;
    const { deps, policy } = context;
    const pricing = this.#pricing;
    const now = deps.clock.now();
    const tags = this.#tags;
    const details = pricing.price.kind === 'ratio' ? pricing.price.details : undefined;
    const metered = withToolUse(context, given, details, this.#extras, now);
    const outcome = metered instanceof Promise ? await metered : metered;
    this.#claim = outcome.claim;
    // Of a stream that ended early the figures so far say nothing.
    const believesZero =
      outcome.isUnanswered ?? (outcome.ended === undefined && outcome.channel.believesZeroUsage);
    const used = await chargeUsage({ ...outcome, believesZero }, pricing, deps.counter, now);
    const { usage } = used;
    const tokens = (usage.promptTokens ?? 0) + (usage.completionTokens ?? 0);
    // A fixed price is owed for an answer, not for silence.
    const isFree =
      outcome.isUnanswered ??
      (tokens === 0 && pricing.price.kind === 'call' && outcome.ended !== undefined);
    const amount = isFree ? (0 as Quota) : used.charge.quota;
    const cost = isFree
      ? 0
      : upstreamCost(outcome.channel.cost, {
          upstreamModel: outcome.upstreamModel,
          pricing,
          used,
          statesCost: outcome.channel.provider.statesCost,
        });
    recordServed(context, outcome, { model: pricing.model, usage, quota: amount, now });
    const charge: ChargeRequest = {
      amount,
      channelId: outcome.channel.id,
      log: policy.logConsume
        ? usageLogRow(context, {
            format: this.#format,
            pricing,
            hold: this.#held.hold,
            tags,
            outcome,
            used,
            amount,
            cost,
            now,
          })
        : null,
      rollup: policy.dataExport
        ? rollupOf(context, {
            modelName: pricing.model,
            tokens,
            cost,
            tags,
            now,
            keyName: outcome.channel.keyName,
          })
        : null,
    };
    return { usage, charge, tokens };
  }
}

function priceOf(context: CallerContext, { model, measure }: BillRequest): ModelPrice {
  const { policy, caller } = context;
  const free = measure?.freeUnpriced === true;
  const consent = free ? {} : { selfUse: policy.selfUse, acceptUnpriced: caller.acceptUnpriced };
  const price = findPrice(model, policy.prices, { ...consent, perSecond: false });
  if (price === undefined && !free) throw new AppError('model_price_error', { model });
  return price ?? { kind: 'call', price: zero };
}

/**
 * Prices the request and holds its estimate, once, before the first attempt. Throws AppError
 * model_price_error, tags_invalid and what the ledger throws.
 */
export async function openBill(context: CallerContext, request: BillRequest): Promise<Bill> {
  const { policy, caller } = context;
  const { model, measure, format } = request;
  const price = priceOf(context, request);
  const groupRatio = groupRatioFor(caller.userGroup, context.group, policy.prices);
  const { extras, ...amounts } = estimateHold(context, request, price, groupRatio);
  const { promptTokens, maxOutputTokens = defaultOutputTokens, answers = 1 } = request;
  const output = Math.min(maxOutputTokens, defaultOutputTokens) * answers;
  const estimate = promptTokens + (measure === undefined ? output : 0);
  const tokens = request.unrated === true ? undefined : estimate;
  const tags = tagsOf(context, request.body);
  const subjects = tags.length === 0 ? request.subjects : { ...request.subjects, tags };
  const held = await holdFor(context, model, { ...amounts, tokens }, subjects);
  return new Bill(
    context,
    format,
    {
      model,
      price,
      groupRatio,
      quotaPerUnit: policy.quotaPerUnit,
      measure,
      otherPrice: (other) => findPrice(other, policy.prices),
    },
    held,
    tags,
    extras,
  );
}
