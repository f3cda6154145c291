/** The explanation of a charge as data, step by step (docs/rules/pricing.md#explanation-steps). */
import { toNumber } from '../kernel/decimal.ts';
import type { ChargeKind } from './cost.ts';
import { cacheNumbers, type Scale, type StepNumbers, stepNumbers } from './details.ts';
import type { Ticket } from './explain.ts';
import { isPerCall } from './per-call.ts';

export type ExplanationStep =
  /** All of the request is in this step: its factors are in the prices of the lines. */
  | ({ readonly step: 'prompt_length' } & StepNumbers)
  | {
      /** A tier, speed or place; its factor is in the prices of the lines, null: there is none. */
      readonly step: 'tier';
      readonly name: string;
      readonly factor: number | null;
      /** Of cache reads and writes, where they are others. */
      readonly cache_read?: number;
      readonly cache_write?: number;
    }
  | {
      readonly step: 'line';
      readonly kind: ChargeKind;
      /** Which tool was called, where one was. */
      readonly tool?: string;
      /** Whose price it is, where it is not the requested model's. */
      readonly model?: string;
      readonly count: number;
      /** Currency units, before the group ratio. */
      readonly price: number;
      readonly per: 'million_tokens' | 'call' | 'second';
      /** Currency units: count × price, before the group ratio. */
      readonly amount: number;
    }
  | {
      readonly step: 'group_ratio';
      readonly group: string;
      readonly ratio: number;
      /** Quota: the sum of the lines × the ratio, not rounded. */
      readonly quota: number;
    }
  | {
      readonly step: 'rounding';
      /** Quota before and after; `quota` is what is charged. */
      readonly raw: number;
      readonly quota: number;
    };

export function explanationSteps(ticket: Ticket, group: string): readonly ExplanationStep[] {
  const raw = toNumber(ticket.raw);
  return [
    ...scaleSteps(ticket.scale),
    ...ticket.lines.map(
      ({ kind, tool, model, count, price, amount }): ExplanationStep => ({
        step: 'line',
        kind,
        ...(tool === undefined ? {} : { tool }),
        ...(model === undefined ? {} : { model }),
        count,
        price: toNumber(price),
        per: kind === 'second' ? kind : isPerCall(kind) ? 'call' : 'million_tokens',
        amount: toNumber(amount),
      }),
    ),
    { step: 'group_ratio', group, ratio: toNumber(ticket.groupRatio), quota: raw },
    { step: 'rounding', raw, quota: ticket.quota },
  ];
}

function scaleSteps(scale: Scale | undefined): readonly ExplanationStep[] {
  if (scale === undefined) return [];
  const tiers = scale.tiers.map(
    ({ name, factor, ...caches }): ExplanationStep => ({
      step: 'tier',
      name,
      factor: factor === undefined ? null : toNumber(factor),
      ...cacheNumbers(caches),
    }),
  );
  if (scale.step === undefined) return tiers;
  return [{ step: 'prompt_length', ...stepNumbers(scale.step) }, ...tiers];
}
