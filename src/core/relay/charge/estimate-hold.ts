/** What is held for a request before its upstream is called (docs/rules/ledger.md#hold-estimate). */
import type { Subjects } from '../../budgets/budget-gate.ts';
import { type Decimal, multiply } from '../../kernel/decimal.ts';
import { maxAmount, type Quota, toQuota } from '../../kernel/quota.ts';
import { imageOutputTokens } from '../../models/image-output.ts';
import { priceUsage } from '../../pricing/cost.ts';
import {
  defaultOutputTokens,
  estimateCalls,
  estimateQuota,
  type MostTokens,
  mostQuota,
} from '../../pricing/estimate.ts';
import { findPrice, type ModelPrice } from '../../pricing/find-price.ts';
import { imageFactor, imagePrice, isPricedEach } from '../../pricing/images.ts';
import type { RequestBody } from '../body/request-body.ts';
import type { CallerContext } from '../context.ts';
import type { CallerFormat } from '../formats/shared/caller-format.ts';
import type { CallMeasure } from '../formats/shared/measure.ts';
import { type HeldExtras, heldExtras } from './held-extras.ts';

export interface BillRequest {
  readonly format: CallerFormat;
  /** The name the caller requested: prices and logs know no other. */
  readonly model: string;
  /** Estimated from the size of the text. */
  readonly promptTokens: number;
  /** The most that the prompt can be. Absent: as estimated. */
  readonly most?: Pick<MostTokens, 'promptTokens' | 'mediaTokens' | 'caching'>;
  /** The caller's limit; undefined: it named none. */
  readonly maxOutputTokens: number | undefined;
  /** Answers requested; absent: one. */
  readonly answers?: number;
  /** Absent: a conversation. */
  readonly measure?: CallMeasure;
  /** What else is held for is read from it. Absent: nothing. */
  readonly body?: RequestBody;
  /** It is done already and only charged: it counts against no rate. */
  readonly unrated?: boolean;
  /** What it is part of. Absent: nothing that can be recognised. */
  readonly subjects?: Subjects;
}

export interface HeldEstimate {
  readonly amount: Quota;
  readonly smallAmount?: Quota | undefined;
  readonly extras?: HeldExtras | undefined;
}

/**
 * What no charge exceeds, and the smaller estimate that is enough where the wallet is small
 * (docs/rules/ledger.md#hold-estimate).
 */
export function estimateHold(
  context: CallerContext,
  request: BillRequest,
  price: ModelPrice,
  groupRatio: Decimal,
): HeldEstimate {
  const {
    model,
    promptTokens,
    most,
    maxOutputTokens = defaultOutputTokens,
    answers = 1,
    measure,
    body,
  } = request;
  const { quotaPerUnit, leastHeldTokens } = context.policy;
  const images = measure?.images;
  if (images !== undefined && isPricedEach(model, price)) {
    const each = multiply(imagePrice(price).price, imageFactor(model, images));
    const amount = estimateCalls(each, images.count, groupRatio, quotaPerUnit);
    if (price.kind === 'call') return { amount };
    // It is charged by tokens where the reply reports some.
    const outputTokens = images.count * imageOutputTokens(images.quality, images.size);
    const prompt = most ?? { promptTokens, mediaTokens: 0, caching: 'none' };
    const byTokens = mostQuota({ ...prompt, outputTokens }, price, groupRatio, quotaPerUnit);
    return byTokens > amount ? { amount: byTokens, smallAmount: amount } : { amount };
  }
  if (measure?.expected !== undefined && price.kind === 'ratio') {
    const amount = priceUsage(measure.expected, price, groupRatio, quotaPerUnit).quota;
    return {
      amount,
      smallAmount: estimateQuota({ promptTokens }, price, groupRatio, quotaPerUnit),
    };
  }
  const outputTokens = Math.min(
    measure?.outputTokens ?? maxOutputTokens * answers,
    Number.MAX_SAFE_INTEGER,
  );
  const details = price.kind === 'ratio' ? price.details : undefined;
  const extras =
    details === undefined || body === undefined
      ? undefined
      : heldExtras(context, body, model, details);
  const prompt = most ?? { promptTokens, mediaTokens: 0, caching: 'none' };
  const drawn = extras?.image && imageQuota(extras.image, price, context, groupRatio);
  const amount = mostQuota(
    {
      ...prompt,
      promptTokens: Math.max(
        prompt.promptTokens,
        leastHeldTokens - prompt.mediaTokens - outputTokens,
      ),
      outputTokens,
      ...extras,
    },
    price,
    groupRatio,
    quotaPerUnit,
  );
  const small = Math.min(outputTokens, defaultOutputTokens * answers);
  const smallAmount = estimateQuota(
    {
      promptTokens: Math.max(promptTokens, leastHeldTokens - small),
      maxOutputTokens: small,
      tiers: extras?.tiers,
    },
    price,
    groupRatio,
    quotaPerUnit,
  );
  return {
    amount: toQuota(Math.min(amount + (drawn ?? 0), Number(maxAmount))),
    smallAmount: smallAmount < amount ? smallAmount : undefined,
    extras,
  };
}

/** The image of a tool, at the price of the model that makes it, as it would be charged. */
function imageQuota(
  { model, tokens }: NonNullable<HeldExtras['image']>,
  price: ModelPrice,
  { policy }: CallerContext,
  groupRatio: Decimal,
): number {
  const own = findPrice(model, policy.prices);
  const sold = own?.kind === 'ratio' ? own : price;
  return priceUsage({ completionTokens: tokens }, sold, groupRatio, policy.quotaPerUnit).quota;
}
