/** The money of one request: priced, held before the upstream is called, settled once with what was used. */
import type { ChargeRequest, Hold, NewLog } from '../../billing/index.ts';
import type { Usage } from '../../canonical/chat.ts';
import type { LogOther, RouteStep } from '../../contract/log-other.ts';
import { translate } from '../../i18n/translate.ts';
import { type Decimal, multiply, zero } from '../../kernel/decimal.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Quota } from '../../kernel/quota.ts';
import { priceUsage } from '../../pricing/cost.ts';
import { defaultOutputTokens, estimateCalls, estimateQuota } from '../../pricing/estimate.ts';
import { imageFields, priceFields, realtimeFields } from '../../pricing/explain.ts';
import { findPrice, groupRatioFor, type ModelPrice, specialGroupRatio } from '../../pricing/find-price.ts';
import { type ImageOrder, imageFactor, imagePrice, isPricedEach } from '../../pricing/images.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';
import { logTypes } from '../../vocabulary/log-types.ts';
import { noteExhausted } from '../admit/authenticate.ts';
import type { CallerContext } from '../context.ts';
import type { CallMeasure } from '../formats/shared/measure.ts';
import { chargeUsage, type MeasuredUsage, type UsageCharge } from './charge.ts';

export interface BillRequest {
  /** The name the caller asked for: prices and logs know no other. */
  readonly model: string;
  /** Estimated from the size of the text. */
  readonly promptTokens: number;
  /** What the caller allows; undefined: it named no limit. */
  readonly maxOutputTokens: number | undefined;
  /** Answers asked for side by side (`n`); absent: one. */
  readonly answers?: number;
  /** Absent: a conversation. */
  readonly measure?: CallMeasure;
}

/** How a request ended, as its bill needs to know it. */
export interface AttemptOutcome extends MeasuredUsage {
  readonly channel: UpstreamChannel;
  readonly upstreamModel: string;
  readonly stream: boolean;
  /** Clock milliseconds at which the answer was begun, where that is not when the request came. */
  readonly startedAt?: number;
  /** Clock milliseconds of the answer's first piece; streams only. */
  readonly firstByteAt?: number;
  /** Why a stream stopped early. */
  readonly ended?: LogOther['ended'];
  readonly steps: readonly RouteStep[];
  readonly reasoningEffort?: string;
}

export class Bill {
  readonly #context: CallerContext;
  readonly #model: string;
  readonly #measure: CallMeasure | undefined;
  readonly #price: ModelPrice;
  readonly #groupRatio: Decimal;
  readonly #hold: Hold;
  #closed = false;

  constructor(context: CallerContext, request: BillRequest, price: ModelPrice, groupRatio: Decimal, hold: Hold) {
    this.#context = context;
    this.#model = request.model;
    this.#measure = request.measure;
    this.#price = price;
    this.#groupRatio = groupRatio;
    this.#hold = hold;
  }

  /** Whether speech must be measured before it is charged. */
  get countsSpeech(): boolean {
    return this.#measure?.speaks === true && this.#price.kind === 'ratio';
  }

  /** Gives the hold back. Safe to call after a settlement. */
  async release(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#context.deps.ledger.release(this.#hold);
  }

  /**
   * Charges; resolves when the charge is on disk, so that the last bytes of the answer may go out, with the usage it was
   * charged for: clients are told no other. Undefined when it was settled before.
   */
  async settle(outcome: AttemptOutcome): Promise<Usage | undefined> {
    if (this.#closed) return undefined;
    // At once: a count may be waited for.
    this.#closed = true;
    const { ledger } = this.#context.deps;
    const { usage, charge } = await this.#chargeFor(outcome).catch(async (error: unknown) => {
      // Whatever went wrong before the ledger took it: the hold must not stay.
      await ledger.release(this.#hold);
      throw error;
    });
    await ledger.settle(this.#hold, charge);
    return usage;
  }

  async #chargeFor(outcome: AttemptOutcome): Promise<{ readonly usage: Usage; readonly charge: ChargeRequest }> {
    const { deps, policy, caller } = this.#context;
    const now = deps.clock.now();
    const terms = {
      model: this.#model,
      price: this.#price,
      groupRatio: this.#groupRatio,
      quotaPerUnit: policy.quotaPerUnit,
      measure: this.#measure,
    };
    const used = await chargeUsage(outcome, terms, deps.counter);
    const { usage, charge } = used;
    const tokens = (usage.promptTokens ?? 0) + (usage.completionTokens ?? 0);
    // A fixed price is owed for an answer, not for silence.
    const amount = tokens === 0 && this.#price.kind === 'call' && outcome.ended !== undefined ? (0 as Quota) : charge.quota;
    deps.traffic.record({
      channelId: outcome.channel.id,
      ok: outcome.ended === undefined || outcome.ended === 'client_gone',
      firstByteMs: Math.max(1, (outcome.firstByteAt ?? now) - (outcome.startedAt ?? this.#context.startedAt)),
      final: true,
      promptTokens: usage.promptTokens ?? 0,
      completionTokens: usage.completionTokens ?? 0,
      cachedTokens: usage.cachedTokens ?? 0,
    });
    const request = {
      amount,
      channelId: outcome.channel.id,
      log: policy.logConsume ? this.#log(outcome, used, amount, now) : null,
      rollup: policy.dataExport
        ? { modelName: this.#model, username: caller.username, hour: Math.floor(now / 3_600_000) * 3600, tokens }
        : null,
    };
    return { usage, charge: request };
  }

  #log(outcome: AttemptOutcome, used: UsageCharge, amount: number, now: number): NewLog {
    const { usage, images } = used;
    const { caller, group, route, requestId } = this.#context;
    const { startedAt = this.#context.startedAt } = outcome;
    // Rows of the Claude route count the prompt without cache reads and writes (spec, billing 8).
    const claude = route.apiFamily === 'anthropic';
    const cacheTokens = (usage.cachedTokens ?? 0) + (usage.cacheWriteTokens ?? usage.cacheWrite1hTokens ?? 0);
    const prompt = usage.promptTokens ?? 0;
    return {
      userId: caller.userId,
      username: caller.username,
      createdAt: Math.floor(now / 1000),
      type: logTypes.consume,
      content: images === undefined ? '' : imageSentence(images),
      tokenName: caller.tokenName,
      tokenId: caller.tokenId,
      modelName: this.#model,
      quota: amount,
      promptTokens: claude ? Math.max(0, prompt - cacheTokens) : prompt,
      completionTokens: usage.completionTokens ?? 0,
      useTime: Math.round(elapsed(startedAt, now) / 1000),
      isStream: outcome.stream,
      channelId: outcome.channel.id,
      group,
      requestId,
      other: JSON.stringify(this.#other(outcome, used, claude, now)),
    };
  }

  #other(outcome: AttemptOutcome, used: UsageCharge, claude: boolean, now: number): LogOther {
    const { caller, group, route, policy, address } = this.#context;
    const { startedAt = this.#context.startedAt } = outcome;
    const mapped = outcome.upstreamModel !== this.#model;
    return {
      ...priceFields(used.usage, used.price, this.#groupRatio, specialGroupRatio(caller.userGroup, group, policy.prices)),
      ...(used.images === undefined ? {} : imageFields(this.#model, used.images)),
      ...(this.#measure?.realtime ? realtimeFields(used.usage, used.price) : {}),
      group,
      ...(outcome.firstByteAt === undefined ? {} : { frt: Math.round(elapsed(startedAt, outcome.firstByteAt)) }),
      ...(mapped ? { is_model_mapped: true, upstream_model_name: outcome.upstreamModel } : {}),
      ...(outcome.reasoningEffort === undefined ? {} : { reasoning_effort: outcome.reasoningEffort }),
      ...(claude ? { claude: true } : {}),
      ...(outcome.ended === undefined ? {} : { ended: outcome.ended }),
      usage_source: used.source,
      request_path: route.path,
      use_ms: Math.round(elapsed(startedAt, now)),
      admin_info: {
        use_channel: outcome.steps.map((step) => String(step.channel)),
        route: [...outcome.steps],
        ip: address,
        held: this.#hold.amount,
        ...(this.#hold.small ? { small_hold: true } : {}),
      },
    };
  }
}

/** Milliseconds; none where the clock was put back meanwhile. */
function elapsed(from: number, to: number): number {
  return Math.max(0, to - from);
}

/** Size and quality where they made the price (spec, billing 8); log rows are written in the site's language. */
function imageSentence({ count, size, quality }: ImageOrder): string {
  return translate('zh', 'log.images', { count, size, ...(quality === '' ? {} : { quality }) });
}

function priceOf(context: CallerContext, { model, measure }: BillRequest): ModelPrice {
  const { policy, caller } = context;
  const free = measure?.freeUnpriced === true;
  const consent = free ? {} : { selfUse: policy.selfUse, acceptUnpriced: caller.acceptUnpriced };
  const price = findPrice(model, policy.prices, consent);
  if (price === undefined && !free) throw new AppError('model_price_error', { model });
  return price ?? { kind: 'call', price: zero };
}

/** The whole estimate, and the smaller one that a small wallet may do with. */
function estimateHold(context: CallerContext, request: BillRequest, price: ModelPrice, groupRatio: Decimal) {
  const { model, promptTokens, maxOutputTokens = defaultOutputTokens, answers = 1, measure } = request;
  const { quotaPerUnit } = context.policy;
  const images = measure?.images;
  if (images !== undefined && isPricedEach(model, price)) {
    const each = multiply(imagePrice(price).price, imageFactor(model, images));
    return { amount: estimateCalls(each, images.count, groupRatio, quotaPerUnit) };
  }
  if (measure?.expected !== undefined && price.kind === 'ratio') {
    const amount = priceUsage(measure.expected, price, groupRatio, quotaPerUnit).quota;
    return { amount, smallAmount: estimateQuota({ promptTokens }, price, groupRatio, quotaPerUnit) };
  }
  const estimate = (output: number) => estimateQuota({ promptTokens, maxOutputTokens: output }, price, groupRatio, quotaPerUnit);
  const output = measure?.outputTokens ?? maxOutputTokens * answers;
  return { amount: estimate(output), smallAmount: output > defaultOutputTokens ? estimate(defaultOutputTokens) : undefined };
}

/**
 * Prices the request and holds its estimate, once, before the first attempt. Throws AppError model_price_error and what
 * the ledger throws.
 */
export async function openBill(context: CallerContext, request: BillRequest): Promise<Bill> {
  const { policy, caller, deps } = context;
  const price = priceOf(context, request);
  const groupRatio = groupRatioFor(caller.userGroup, context.group, policy.prices);
  try {
    const hold = await deps.ledger.hold({
      requestId: context.requestId,
      userId: caller.userId,
      tokenId: caller.tokenId,
      ...estimateHold(context, request, price, groupRatio),
    });
    return new Bill(context, request, price, groupRatio, hold);
  } catch (error) {
    if (error instanceof AppError && error.code === 'token_exhausted') noteExhausted(context, caller);
    throw error;
  }
}
