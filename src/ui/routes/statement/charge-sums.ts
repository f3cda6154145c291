import type { StatementEntity } from '../../../core/contract/statement.ts';

export interface ChargeSum {
  /** A model or a day; '' is the rest of which no model is known. */
  readonly name: string;
  readonly requests: number;
  readonly tokens: number;
  /** Positive. */
  readonly quota: number;
}

type Cell = { requests: number; tokens: number; quota: number };

/** Charges by model, the largest first, and by day; both add up to all charges of the statement. */
export function addUp({ charges, days }: StatementEntity): {
  readonly models: readonly ChargeSum[];
  readonly days: readonly ChargeSum[];
} {
  const models = new Map<string, Cell>();
  const tokensOfDay = new Map<string, number>();
  for (const { model, day, requests, tokens, quota } of charges) {
    const cell = models.get(model) ?? { requests: 0, tokens: 0, quota: 0 };
    models.set(model, {
      requests: cell.requests + requests,
      tokens: cell.tokens + tokens,
      quota: cell.quota + quota,
    });
    tokensOfDay.set(day, (tokensOfDay.get(day) ?? 0) + tokens);
  }
  const daily = days
    .filter(({ kind }) => kind === 'charge')
    .map(({ day, count, amount }) => ({
      name: day,
      requests: count,
      tokens: tokensOfDay.get(day) ?? 0,
      quota: -amount,
    }));
  const sum = (cells: Iterable<Cell>, of: 'requests' | 'quota') =>
    [...cells].reduce((total, cell) => total + cell[of], 0);
  const rest = sum(daily, 'quota') - sum(models.values(), 'quota');
  const named = [...models]
    .map(([name, cell]) => ({ name, ...cell }))
    .sort((a, b) => b.quota - a.quota);
  const requests = Math.max(0, sum(daily, 'requests') - sum(models.values(), 'requests'));
  return {
    models: rest === 0 ? named : [...named, { name: '', requests, tokens: 0, quota: rest }],
    days: daily,
  };
}
