/** Prices that change with the hour, as a list price has them (docs/rules/pricing.md#peak-hours). */
import { compare, decimal, multiply, ratioTo } from '../../kernel/decimal.ts';
import type { ListPrice } from '../schema.ts';

const days = [0, 1, 2, 3, 4, 5, 6] as const;
const endOfDay = 1440;

/** Minutes that a time zone is ahead of UTC, all the year; undefined: it is none, or they change. */
export function minutesAhead(zone: string): number | undefined {
  try {
    const [winter, summer] = [0, 6].map((month) => {
      const moment = new Date(Date.UTC(2026, month, 15));
      const text = moment.toLocaleString('sv-SE', { timeZone: zone });
      return (Date.parse(`${text.replace(' ', 'T')}Z`) - moment.getTime()) / 60_000;
    });
    return winter === summer ? winter : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * The factor by which `price` differs from `base`, the same for each kind of token; undefined:
 * kinds have different factors, or one of the two prices is free.
 */
export function factorBetween(price: ListPrice, base: ListPrice): number | undefined {
  const { steps, factors, cacheFactors, peakHours, ...own } = price;
  const {
    steps: baseSteps,
    factors: baseFactors,
    cacheFactors: baseCaches,
    peakHours: baseHours,
    ...theirs
  } = base;
  const rest = [steps, factors, cacheFactors, peakHours];
  if (JSON.stringify(rest) !== JSON.stringify([baseSteps, baseFactors, baseCaches, baseHours]))
    return undefined;
  const names = [...new Set([...Object.keys(own), ...Object.keys(theirs)])] as (keyof typeof own)[];
  const pairs = names.map((name) => [decimal(own[name] ?? 0), decimal(theirs[name] ?? 0)] as const);
  const first = pairs.find(([, to]) => to.digits !== 0n);
  if (first === undefined || first[0].digits === 0n) return undefined;
  const [from, to] = first;
  const isSame = pairs.every(
    ([one, other]) => compare(multiply(one, to), multiply(other, from)) === 0,
  );
  return isSame ? ratioTo(sumOf(price), sumOf(base)) : undefined;
}

const sumOf = ({ input, output }: ListPrice): number => (input > 0 ? input : output);

/**
 * The price of the peak, with its hours and the factor of all others. `at`: the price of a day of the
 * week (0 is Sunday) and a minute of it, in UTC; it changes at `bounds` only, which are such minutes.
 * Undefined: no list price can say so.
 */
export function hourlyPrice(
  at: (day: number, minute: number) => ListPrice,
  bounds: readonly number[],
): ListPrice | undefined {
  const inDay = bounds.filter((minute) => minute > 0 && minute < endOfDay);
  const starts = [...new Set([0, ...inDay])].sort((a, b) => a - b);
  const spans = days.flatMap((day) =>
    starts.map((from, index) => {
      const price = at(day, from);
      return { day, from, to: starts[index + 1] ?? endOfDay, price, key: JSON.stringify(price) };
    }),
  );
  const [first] = spans;
  if (first === undefined) return undefined;
  const other = spans.find(({ key }) => key !== first.key);
  if (other === undefined) return first.price;
  const factor = factorBetween(other.price, first.price);
  const keys = new Set(spans.map(({ key }) => key));
  if (factor === undefined || keys.size > 2) return undefined;
  const [peak, rest] = factor > 1 ? [other, first] : [first, other];
  const offpeak = factorBetween(rest.price, peak.price);
  return offpeak === undefined
    ? undefined
    : {
        ...peak.price,
        factors: { ...peak.price.factors, offpeak },
        peakHours: hoursOf(spans.filter(({ key }) => key === peak.key)),
      };
}

interface Span {
  readonly day: number;
  readonly from: number;
  readonly to: number;
}

/** Neighbours of a day as one, and days with the same hours together. */
function hoursOf(spans: readonly Span[]): NonNullable<ListPrice['peakHours']> {
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last !== undefined && last.day === span.day && last.to === span.from)
      joined[joined.length - 1] = { ...last, to: span.to };
    else joined.push(span);
  }
  const byHours = new Map<string, { days: number[]; from: number; to: number }>();
  for (const { day, from, to } of joined) {
    const known = byHours.get(`${from}-${to}`);
    if (known === undefined) byHours.set(`${from}-${to}`, { days: [day], from, to });
    else known.days.push(day);
  }
  return [...byHours.values()];
}
