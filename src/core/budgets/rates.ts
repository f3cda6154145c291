/** How many requests and tokens per minute, and requests at once (docs/rules/budgets.md#rates). */
import type { RateAsk, RateMeter, RateReply } from '../cluster/cluster.ts';
import { AppError } from '../kernel/errors.ts';
import { hasRates } from '../vocabulary/budgets.ts';
import { type IndexedBudget, ratesOf } from './budget-index.ts';

/** What is left of the rate, of requests or tokens, that is closest to its limit. */
export interface RateRoom {
  readonly unit: 'requests' | 'tokens';
  readonly limit: number;
  readonly left: number;
  /** Milliseconds until the whole rate is available again; after a refusal, until a retry may succeed. */
  readonly resetMs: number;
}

/** A request that was counted. */
export interface RateTicket {
  readonly room: readonly RateRoom[];
  /** The request is over; `tokens`: what it used. Once; never rejects. */
  end(tokens: number): void;
}

export interface NamedAsk extends RateAsk {
  readonly budget: string;
}

const minute = 60_000;
const codes = {
  requests: 'rate_requests',
  tokens: 'rate_tokens',
  parallel: 'rate_parallel',
} as const;

/** Undefined: the budget has none. */
export function askOf(budget: IndexedBudget, subject: string): NamedAsk | undefined {
  const rates = ratesOf(budget);
  if (!hasRates(rates)) return undefined;
  const { id, name, atEnd } = budget;
  return {
    ...rates,
    key: `${id} ${subject}`,
    refuses: atEnd === 'refuse',
    budget: name || String(id),
  };
}

function roomOf(asks: readonly NamedAsk[], { refused, used }: RateReply): readonly RateRoom[] {
  const rooms = new Map<string, RateRoom>();
  for (const [index, ask] of asks.entries()) {
    for (const unit of ['requests', 'tokens'] as const) {
      const limit = ask[unit];
      if (limit === 0 || !ask.refuses) continue;
      const isRefused = refused?.index === index && refused.by === unit;
      const left = isRefused ? 0 : Math.max(0, limit - (used[index]?.[unit] ?? 0));
      const resetMs = isRefused ? refused.waitMs : minute;
      if (left < (rooms.get(unit)?.left ?? Number.POSITIVE_INFINITY))
        rooms.set(unit, { unit, limit, left, resetMs });
    }
  }
  return [...rooms.values()];
}

/**
 * Counts a request. `show` gets what is left, before a refusal, too. Throws AppError rate_requests,
 * rate_tokens, rate_parallel.
 */
export async function enterRates(
  meter: RateMeter,
  slot: string,
  tokens: number,
  asks: readonly NamedAsk[],
  show: (room: readonly RateRoom[]) => void,
): Promise<RateTicket> {
  const reply = await meter.enter(slot, tokens, asks);
  const room = roomOf(asks, reply);
  show(room);
  const { refused } = reply;
  const ask = refused && asks[refused.index];
  if (refused !== undefined && ask !== undefined) {
    const seconds = Math.max(1, Math.ceil(refused.waitMs / 1000));
    const params = { budget: ask.budget, limit: ask[refused.by], seconds, retryAfter: seconds };
    throw new AppError(codes[refused.by], params);
  }
  let isOver = false;
  return {
    room,
    end: (used) => {
      if (isOver) return;
      isOver = true;
      void meter.leave(slot, used);
    },
  };
}
