/** The money of one request: priced, held before the upstream is called, settled once with what was used. */
import type { Hold, NewLog } from '../billing/index.ts';
import type { LogOther, RouteStep } from '../contract/log-other.ts';
import type { Decimal } from '../kernel/decimal.ts';
import { AppError } from '../kernel/errors.ts';
import type { Quota } from '../kernel/quota.ts';
import { priceUsage } from '../pricing/cost.ts';
import { defaultOutputTokens, estimateQuota } from '../pricing/estimate.ts';
import { estimateTokens, tokenFamilyOf } from '../pricing/estimate-tokens.ts';
import { priceFields } from '../pricing/explain.ts';
import { findPrice, groupRatioFor, type ModelPrice, specialGroupRatio } from '../pricing/find-price.ts';
import type { Usage } from '../providers/canonical.ts';
import type { UpstreamChannel } from '../upstream/channel.ts';
import { logTypes } from '../vocabulary/log-types.ts';
import { noteExhausted } from './authenticate.ts';
import type { CallerRequest } from './parts.ts';

export interface BillRequest {
  /** The name the caller asked for: prices and logs know no other. */
  readonly model: string;
  /** Estimated from the size of the text. */
  readonly promptTokens: number;
  /** What the caller allows; undefined: it named no limit. */
  readonly maxOutputTokens: number | undefined;
  /** No output is generated (embeddings). */
  readonly inputOnly?: boolean;
}

/** How a request ended, as its bill needs to know it. */
export interface Outcome {
  readonly channel: UpstreamChannel;
  readonly upstreamModel: string;
  /** What the upstream told; undefined where it told nothing. */
  readonly usage: Usage | undefined;
  /** The texts to count where it told nothing: what was asked and what reached the client. Called at most once. */
  readonly texts: () => { readonly prompt: string; readonly completion: string };
  readonly stream: boolean;
  /** Clock milliseconds of the answer's first piece; streams only. */
  readonly firstByteAt?: number;
  /** Why a stream stopped early. */
  readonly ended?: LogOther['ended'];
  readonly steps: readonly RouteStep[];
  readonly reasoningEffort?: string;
}

/** Characters counted at most; what is beyond counts by the same density. */
const countLimit = 400_000;

function countTokens(text: string, model: string): number {
  if (text === '') return 0;
  const family = tokenFamilyOf(model);
  if (text.length <= countLimit) return estimateTokens(text, family);
  return Math.ceil((estimateTokens(text.slice(0, countLimit), family) * text.length) / countLimit);
}

/** What is charged: the upstream's figures; ours for each side it left out although there was something to count. */
/** No answer holds more tokens than this: an upstream that says so has told nothing. */
const mostTokens = 1e9;

function completeUsage(outcome: Outcome, model: string): { usage: Usage; source: 'upstream' | 'counted' } {
  const told = Object.values(outcome.usage ?? {}).some((count) => count > mostTokens) ? undefined : outcome.usage;
  const hasPrompt = (told?.promptTokens ?? 0) > 0;
  const hasCompletion = told?.completionTokens !== undefined && (told.completionTokens > 0 || hasPrompt);
  if (told !== undefined && hasPrompt && hasCompletion) return { usage: told, source: 'upstream' };
  const { prompt, completion } = outcome.texts();
  const usage: Usage = {
    ...told,
    promptTokens: hasPrompt ? told?.promptTokens : countTokens(prompt, model),
    completionTokens: hasCompletion ? told?.completionTokens : countTokens(completion, model),
  };
  return { usage, source: 'counted' };
}

export class Bill {
  readonly #job: CallerRequest;
  readonly #model: string;
  readonly #price: ModelPrice;
  readonly #groupRatio: Decimal;
  readonly #hold: Hold;
  #closed = false;

  constructor(job: CallerRequest, model: string, price: ModelPrice, groupRatio: Decimal, hold: Hold) {
    this.#job = job;
    this.#model = model;
    this.#price = price;
    this.#groupRatio = groupRatio;
    this.#hold = hold;
  }

  /** Gives the hold back. Safe to call after a settlement. */
  async release(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#job.parts.ledger.release(this.#hold);
  }

  /** Charges; resolves when the charge is on disk, so that the last bytes of the answer may go out. */
  async settle(outcome: Outcome): Promise<void> {
    if (this.#closed) return;
    try {
      await this.#charge(outcome);
    } catch (error) {
      // Whatever went wrong before the ledger took it: the hold must not stay.
      await this.release();
      throw error;
    }
  }

  async #charge(outcome: Outcome): Promise<void> {
    const { parts, policy, caller } = this.#job;
    const { usage, source } = completeUsage(outcome, this.#model);
    const tokens = (usage.promptTokens ?? 0) + (usage.completionTokens ?? 0);
    const charge = priceUsage(usage, this.#price, this.#groupRatio, policy.quotaPerUnit);
    // A fixed price is owed for an answer, not for silence.
    const amount = tokens === 0 && this.#price.kind === 'call' && outcome.ended !== undefined ? (0 as Quota) : charge.quota;
    const now = parts.clock.now();
    parts.traffic.record({
      channelId: outcome.channel.id,
      ok: outcome.ended === undefined || outcome.ended === 'client_gone',
      firstByteMs: Math.max(1, (outcome.firstByteAt ?? now) - this.#job.startedAt),
      final: true,
      promptTokens: usage.promptTokens ?? 0,
      completionTokens: usage.completionTokens ?? 0,
      cachedTokens: usage.cachedTokens ?? 0,
    });
    const log = policy.logConsume ? this.#log(outcome, usage, source, amount, now) : null;
    this.#closed = true;
    await parts.ledger.settle(this.#hold, {
      amount,
      channelId: outcome.channel.id,
      log,
      rollup: policy.dataExport
        ? { modelName: this.#model, username: caller.username, hour: Math.floor(now / 3_600_000) * 3600, tokens }
        : null,
    });
  }

  #log(outcome: Outcome, usage: Usage, source: 'upstream' | 'counted', amount: number, now: number): NewLog {
    const { caller, group, startedAt, route, requestId } = this.#job;
    // Rows of the Claude route count the prompt without cache reads and writes (spec, billing 8).
    const claude = route.dialect === 'anthropic';
    const cacheTokens = (usage.cachedTokens ?? 0) + (usage.cacheWriteTokens ?? usage.cacheWrite1hTokens ?? 0);
    const prompt = usage.promptTokens ?? 0;
    return {
      userId: caller.userId,
      username: caller.username,
      createdAt: Math.floor(now / 1000),
      type: logTypes.consume,
      content: '',
      tokenName: caller.tokenName,
      tokenId: caller.tokenId,
      modelName: this.#model,
      quota: amount,
      promptTokens: claude ? Math.max(0, prompt - cacheTokens) : prompt,
      completionTokens: usage.completionTokens ?? 0,
      useTime: Math.round((now - startedAt) / 1000),
      isStream: outcome.stream,
      channelId: outcome.channel.id,
      group,
      requestId,
      other: JSON.stringify(this.#other(outcome, usage, source, claude)),
    };
  }

  #other(outcome: Outcome, usage: Usage, source: 'upstream' | 'counted', claude: boolean): LogOther {
    const { caller, group, startedAt, route, policy, address } = this.#job;
    const mapped = outcome.upstreamModel !== this.#model;
    return {
      ...priceFields(usage, this.#price, this.#groupRatio, specialGroupRatio(caller.userGroup, group, policy.prices)),
      group,
      ...(outcome.firstByteAt === undefined ? {} : { frt: Math.round(outcome.firstByteAt - startedAt) }),
      ...(mapped ? { is_model_mapped: true, upstream_model_name: outcome.upstreamModel } : {}),
      ...(outcome.reasoningEffort === undefined ? {} : { reasoning_effort: outcome.reasoningEffort }),
      ...(claude ? { claude: true } : {}),
      ...(outcome.ended === undefined ? {} : { ended: outcome.ended }),
      usage_source: source,
      request_path: route.path,
      use_ms: Math.round(this.#job.parts.clock.now() - startedAt),
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

/**
 * Prices the request and holds its estimate, once, before the first attempt. Throws AppError model_price_error and what
 * the ledger throws.
 */
export async function openBill(job: CallerRequest, request: BillRequest): Promise<Bill> {
  const { policy, caller, parts } = job;
  const price = findPrice(request.model, policy.prices, { selfUse: policy.selfUse, acceptUnpriced: caller.acceptUnpriced });
  if (price === undefined) throw new AppError('model_price_error', { model: request.model });
  const groupRatio = groupRatioFor(caller.userGroup, job.group, policy.prices);
  const estimate = (output: number) =>
    estimateQuota({ promptTokens: request.promptTokens, maxOutputTokens: output }, price, groupRatio, policy.quotaPerUnit);
  const output = request.inputOnly ? 0 : (request.maxOutputTokens ?? defaultOutputTokens);
  const full = estimate(output);
  const small = output > defaultOutputTokens ? estimate(defaultOutputTokens) : undefined;
  try {
    const hold = await parts.ledger.hold({
      requestId: job.requestId,
      userId: caller.userId,
      tokenId: caller.tokenId,
      amount: full,
      smallAmount: small,
    });
    return new Bill(job, request.model, price, groupRatio, hold);
  } catch (error) {
    if (error instanceof AppError && error.code === 'token_exhausted') noteExhausted(job, caller);
    throw error;
  }
}
