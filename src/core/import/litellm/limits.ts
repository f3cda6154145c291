/** Budgets and rates of LiteLLM become budgets (docs/rules/import.md#litellm-limits). */
import { calendarWindow, rollingWindow } from '../../budgets/window.ts';
import { clampQuota } from '../../kernel/quota.ts';
import type { NewBudget, Storage } from '../../storage/storage.ts';
import type { BudgetOwner, BudgetPeriod } from '../../vocabulary/budgets.ts';
import { moneyToQuota, toInteger, toSeconds, toTrimmed } from '../convert.ts';
import { Notes } from '../notes.ts';
import type { TableReport } from '../report.ts';
import type { SourceRow, SourceValue } from '../source/source.ts';
import { listOf, membersOf } from './settings.ts';

/** Whose limits they are. */
export interface LimitOwner {
  readonly owner: BudgetOwner & ('token' | 'user');
  readonly id: number;
  readonly name: string;
  /** Its own, over those of the budget that it shares the definition of. */
  readonly row: SourceRow;
  /** Whether this run wrote it: another has its budgets already. */
  readonly isNew: boolean;
}

interface PlannedBudget {
  readonly budget: NewBudget;
  /** What the open window has cost so far, and when it ends; undefined: it begins anew. */
  readonly open: { readonly spent: number; readonly endsAt: number } | undefined;
}

const seconds: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 7 * 86_400,
  mo: 30 * 86_400,
};
/** The longest first. */
const periods: readonly (readonly [BudgetPeriod, number])[] = [
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['5h', 5 * 3600],
  ['hour', 3600],
];

/**
 * `30d`, `1mo`, `24h` as a period, and what of the amount it has; undefined: it cannot be read. A
 * length that is no period here becomes the next shorter one.
 */
export function periodOf(duration: string):
  | {
      readonly period: BudgetPeriod;
      readonly part: readonly [number, number];
      readonly isSame: boolean;
    }
  | undefined {
  if (duration === '' || duration === 'None')
    return { period: 'total', part: [1, 1], isSame: true };
  const [, count, unit = ''] = /^(\d+)(mo|[smhdw])$/.exec(duration) ?? [];
  const length = Number(count) * (seconds[unit] ?? 0);
  if (!(length > 0)) return undefined;
  const [period, whole] = periods.find(([, one]) => one <= length) ?? ['hour' as const, 3600];
  return { period, part: whole < length ? [whole, length] : [1, 1], isSame: whole === length };
}

const amountOf = (value: SourceValue | undefined, perUnit: number): number | undefined =>
  value === null || value === undefined || !Number.isFinite(Number(value))
    ? undefined
    : clampQuota(moneyToQuota(value, perUnit).quota);

export interface LimitRun {
  readonly now: number;
  readonly quotaPerUnit: number;
  readonly storage: Storage | null;
  /** Members of teams whose limit no budget can say, with the number of their keys. */
  readonly membersLeftOut?: readonly string[];
}

/** Writes those of owners that are new; a run before wrote the others. */
export async function carryLimits(
  owners: readonly LimitOwner[],
  { now, quotaPerUnit, storage, membersLeftOut = [] }: LimitRun,
): Promise<TableReport> {
  const notes = new Notes();
  const counts = { read: 0, carried: 0, there: 0 };
  for (const owner of owners) {
    const planned = budgetsOf(owner, { now, quotaPerUnit }, notes);
    counts.read += planned.length;
    counts[owner.isNew ? 'carried' : 'there'] += planned.length;
    if (storage === null || !owner.isNew) continue;
    for (const one of planned) await write(one, storage, now);
  }
  for (const member of membersLeftOut) notes.add('member_limit_left_out', member);
  return {
    table: 'limits',
    read: counts.read + membersLeftOut.length,
    carried: counts.carried,
    leftOut: membersLeftOut.length,
    alreadyThere: counts.there,
    notes: notes.list(),
  };
}

async function write({ budget, open }: PlannedBudget, storage: Storage, now: number) {
  const id = await storage.budgets.insert(budget);
  if (open === undefined) return;
  const { period = 'month' } = budget;
  const length = periods.find(([name]) => name === period)?.[1] ?? 0;
  const isRolling = budget.window === 'rolling';
  const span =
    period === 'total'
      ? rollingWindow(period, now)
      : isRolling
        ? { startsAt: open.endsAt - length, endsAt: open.endsAt }
        : calendarWindow({ period, timeZone: 'UTC', weekStart: 1 }, now);
  await storage.budgets.openWindow({
    budgetId: id,
    revision: 0,
    subject: '',
    ...span,
    isRolling,
    before: null,
    opening: open.spent,
  });
}

/** All that limits one owner. */
function budgetsOf(
  { owner, id, name, row }: LimitOwner,
  { now, quotaPerUnit }: Pick<LimitRun, 'now' | 'quotaPerUnit'>,
  notes: Notes,
): readonly PlannedBudget[] {
  const named = `${id} ${name}`;
  const found: PlannedBudget[] = [];
  const base = (what: string): NewBudget => ({
    userId: 0,
    name: [...`${name} ${what}`.trim()].slice(0, 50).join(''),
    owner,
    ownerId: String(id),
    amount: clampQuota(0),
    createdTime: now,
  });
  const add = (
    what: string,
    limit: SourceValue | undefined,
    duration: string,
    more: Partial<NewBudget>,
    window?: { readonly spent: number; readonly endsAt: number },
  ) => {
    const amount = amountOf(limit, quotaPerUnit);
    if (amount === undefined) return;
    const fitting = periodOf(duration);
    if (fitting === undefined) return notes.add('limit_left_out', `${named}: ${duration}`);
    const { period, part, isSame } = fitting;
    const [numerator, denominator] = part;
    if (!isSame) notes.add('limit_period_changed', `${named}: ${duration} → ${period}`);
    const shown = window === undefined ? '' : ` (${window.spent} of ${amount})`;
    notes.add('limit_becomes_budget', `${named}: ${period}${shown}`);
    const isOpen = window !== undefined && isSame && (period === 'total' || window.endsAt > now);
    const calendar =
      period === 'total'
        ? undefined
        : calendarWindow({ period, timeZone: 'UTC', weekStart: 1 }, now);
    const isCalendar = !isOpen || calendar === undefined || calendar.endsAt === window?.endsAt;
    found.push({
      budget: {
        ...base(what),
        amount: clampQuota((BigInt(amount) * BigInt(numerator)) / BigInt(denominator)),
        period,
        window: isCalendar ? 'calendar' : 'rolling',
        ...more,
      },
      open: isOpen && window.spent > 0 ? window : undefined,
    });
  };
  const spent = amountOf(row['spend'], quotaPerUnit) ?? 0;
  const window = { spent, endsAt: toSeconds(row['budget_reset_at']) };
  const max = row['max_budget'];
  const soft = row['soft_budget'];
  const duration = toTrimmed(row['budget_duration']);
  if (amountOf(max, quotaPerUnit) !== undefined)
    add('', max, duration, thresholdsOf(Number(soft ?? 0), Number(max)), window);
  else add('', soft, duration, { atEnd: 'warn', thresholds: '100' }, window);
  for (const entry of listOf(row['budget_limits']).map(membersOf))
    add('', Number(entry['max_budget'] ?? Number.NaN), String(entry['budget_duration'] ?? ''), {});
  for (const [model, entry] of Object.entries(membersOf(row['model_max_budget']))) {
    const {
      budget_limit: limit,
      max_budget: other,
      time_period: time,
      budget_duration: length,
    } = typeof entry === 'number' ? { budget_limit: entry } : (membersOf(entry) as Entry);
    add(model, limit ?? other, time ?? length ?? '', { models: model });
  }
  const rates = {
    requestsPerMinute: rateOf(row['rpm_limit'], 1_000_000),
    tokensPerMinute: rateOf(row['tpm_limit'], 1_000_000_000),
    parallelRequests: rateOf(row['max_parallel_requests'], 1_000_000),
  };
  if (Object.values(rates).some((rate) => rate > 0))
    found.push({ budget: { ...base('rate'), period: 'none', ...rates }, open: undefined });
  const metadata = membersOf(row['metadata']);
  const [requests, tokens] = ['model_rpm_limit', 'model_tpm_limit'].map((key) =>
    membersOf(metadata[key]),
  );
  for (const model of new Set([...Object.keys(requests ?? {}), ...Object.keys(tokens ?? {})]))
    found.push({
      budget: {
        ...base(`${model} rate`),
        period: 'none',
        models: model,
        requestsPerMinute: rateOf(numberOf(requests?.[model]), 1_000_000),
        tokensPerMinute: rateOf(numberOf(tokens?.[model]), 1_000_000_000),
      },
      open: undefined,
    });
  return found;
}

interface Entry {
  readonly budget_limit?: number;
  readonly max_budget?: number;
  readonly time_period?: string;
  readonly budget_duration?: string;
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);

/** A rate here is at least 1: 0 there lets nothing through. */
function rateOf(value: SourceValue | undefined, most: number): number {
  if (value === null || value === undefined) return 0;
  return Math.min(most, Math.max(1, toInteger(value)));
}

/** The soft budget is a warning before the end. */
function thresholdsOf(soft: number, max: number): Partial<NewBudget> {
  const percent = max > 0 ? Math.round((soft / max) * 100) : 0;
  return percent >= 1 && percent < 100 ? { thresholds: `${percent},100` } : {};
}
