/** The explanation of a charge as data, step by step (docs/rules/pricing.md#explanation-steps). */
import { toNumber } from '../kernel/decimal.ts';
import type { ChargeKind } from './cost.ts';
import { isPerCall, type Ticket } from './explain.ts';

export type ExplanationStep =
  | {
      readonly step: 'line';
      readonly kind: ChargeKind;
      readonly count: number;
      /** Currency units, before the group ratio. */
      readonly price: number;
      readonly per: 'million_tokens' | 'call';
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
    ...ticket.lines.map(
      ({ kind, count, price, amount }): ExplanationStep => ({
        step: 'line',
        kind,
        count,
        price: toNumber(price),
        per: isPerCall(kind) ? 'call' : 'million_tokens',
        amount: toNumber(amount),
      }),
    ),
    { step: 'group_ratio', group, ratio: toNumber(ticket.groupRatio), quota: raw },
    { step: 'rounding', raw, quota: ticket.quota },
  ];
}
