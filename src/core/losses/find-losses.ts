/** Where a site loses money, from what it knows (docs/rules/losses.md). Pure. */

import { formatBalance } from '../pricing/format-sums.ts';
import type { BalanceReading, ChannelMargin } from '../storage/storage.ts';
import type { LossKind } from '../vocabulary/loss-kinds.ts';
import { type BalanceFall, daysLeft, isBilledMore } from './balances.ts';

export interface Loss {
  readonly kind: LossKind;
  /** 0: no channel's. */
  readonly channelId: number;
  /** '': the whole channel's. */
  readonly model: string;
  /** For the words: quota as numbers, other figures as texts. */
  readonly figures: Readonly<Record<string, number | string>>;
}

/** A channel that is switched on. */
export interface WatchedChannel {
  readonly id: number;
  /** It says what its upstream charges. */
  readonly namesCost: boolean;
}

/** Of an account whose balance fell: what was booked for its channel in the meantime. */
export interface WatchedBalance {
  readonly last: BalanceReading;
  readonly fall: BalanceFall;
  /** In the upstream's currency; undefined: the cost of some requests is not known. */
  readonly booked: number | undefined;
}

export interface LossFacts {
  /** Of the last 24 hours. */
  readonly margins: readonly ChannelMargin[];
  readonly channels: ReadonlyMap<number, WatchedChannel>;
  readonly balances: readonly WatchedBalance[];
  /** Days that a balance must last, else it is reported; 0: none is. */
  readonly balanceDays: number;
  /** Quota of one currency unit. */
  readonly quotaPerUnit: number;
}

/** Thousandths of a quota in a quota. */
const perQuota = 1000;

export function findLosses(facts: LossFacts): readonly Loss[] {
  return [...marginLosses(facts), ...balanceLosses(facts)];
}

/** Less than a cent in a day is no loss that anybody wants to hear of. */
export function isLoss(
  { cost, costedQuota }: Pick<ChannelMargin, 'cost' | 'costedQuota'>,
  quotaPerUnit: number,
): boolean {
  return cost / perQuota - costedQuota > quotaPerUnit / 100;
}

function marginLosses({ margins, channels, quotaPerUnit }: LossFacts): readonly Loss[] {
  const found: Loss[] = [];
  const unknown = new Map<number, { count: number; models: string[] }>();
  // A site that names no cost at all does not want to know its margin.
  const named = [...channels.values()].some(({ namesCost }) => namesCost);
  for (const margin of margins) {
    const { channelId, modelName: model, costedQuota, cost, count, costedCount } = margin;
    if (!channels.has(channelId)) continue;
    if (isLoss(margin, quotaPerUnit))
      found.push({
        kind: 'below_cost',
        channelId,
        model,
        figures: { quota: costedQuota, cost: Math.round(cost / perQuota) },
      });
    if (named && costedCount < count) {
      const sum = unknown.get(channelId) ?? { count: 0, models: [] };
      sum.count += count - costedCount;
      sum.models.push(model);
      unknown.set(channelId, sum);
    }
  }
  for (const [channelId, { count, models }] of unknown)
    found.push({
      kind: 'unknown_cost',
      channelId,
      model: '',
      figures: { count, models: models.sort().slice(0, 5).join(', ') },
    });
  return found;
}

function balanceLosses({ balances, balanceDays, channels }: LossFacts): readonly Loss[] {
  return balances.flatMap(({ last, fall, booked }): Loss[] => {
    const { channelId, amount, currency } = last;
    if (!channels.has(channelId)) return [];
    const money = (sum: number) => formatBalance({ amount: sum, currency });
    const found: Loss[] = [];
    const days = daysLeft(amount, fall);
    if (balanceDays > 0 && days !== undefined && days <= balanceDays)
      found.push({
        kind: 'balance',
        channelId,
        model: '',
        figures: { balance: money(amount), days: days.toFixed(1) },
      });
    if (booked !== undefined && isBilledMore(fall.spent, booked))
      found.push({
        kind: 'billed_more',
        channelId,
        model: '',
        figures: {
          billed: money(fall.spent),
          booked: money(booked),
          days: ((fall.to - fall.from) / 86_400).toFixed(1),
        },
      });
    return found;
  });
}
