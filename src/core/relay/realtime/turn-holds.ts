/** What is held for an answer, and for a transcript (docs/rules/realtime.md#realtime-hold). */
import type { Usage } from '../../canonical/usage.ts';
import { findPrice } from '../../pricing/find-price.ts';
import { type Bill, openBill } from '../charge/bill.ts';
import type { CallerContext } from '../context.ts';
import { openAiRealtime } from '../formats/openai-realtime/index.ts';
import type { CallMeasure } from '../formats/shared/measure.ts';
import type { SessionMeter } from './session-meter.ts';

/**
 * Holds what the next answer may cost. Throws AppError model_price_error and what the ledger
 * throws.
 */
export function holdNext(
  context: CallerContext,
  model: string,
  meter: SessionMeter,
): Promise<Bill> {
  const expected = meter.expected();
  const { promptTokens = 0, completionTokens: outputTokens = 0 } = expected;
  const measure: CallMeasure = { promptTokens, outputTokens, expected, realtime: true };
  return openBill(context, {
    format: openAiRealtime,
    model,
    promptTokens,
    maxOutputTokens: undefined,
    measure,
  });
}

/**
 * At the price of the transcribing model where it has one, else of `otherwise`, the session's
 * model.
 */
export async function holdTranscript(
  context: CallerContext,
  model: string,
  otherwise: string,
  expected: Usage,
  ours: Usage,
): Promise<Bill> {
  const { promptTokens = 0, completionTokens: outputTokens = 0 } = expected;
  const usageOf = (reported: Usage | undefined) =>
    (reported?.promptTokens ?? 0) > 0
      ? { ...reported, completionTokens: reported?.completionTokens ?? 0 }
      : ours;
  const measure: CallMeasure = { promptTokens, outputTokens, realtime: true, usageOf };
  const price = findPrice(model, context.policy.prices, { perSecond: false });
  return openBill(context, {
    format: openAiRealtime,
    model: price === undefined ? otherwise : model,
    promptTokens,
    maxOutputTokens: undefined,
    measure,
    unrated: true,
  });
}
