/** Why a balance is what it is: a user's postings of a month (docs/rules/ledger.md#statement). */
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { addQuota, exactDifference } from '../kernel/quota.ts';
import type {
  Listing,
  PageRequest,
  Posting,
  StatementMonth,
  StatementSum,
  Storage,
} from '../storage/storage.ts';
import type { LedgerKind } from '../vocabulary/ledger-kinds.ts';
import { dayOf, monthAfter, monthOf, monthText, spanOf } from './statement-months.ts';
import { sumUser } from './statement-sums.ts';

export interface StatementDeps {
  readonly storage: Pick<Storage, 'statements' | 'quotaData'>;
  readonly clock: Clock;
}

export interface Statement {
  readonly userId: number;
  readonly month: number;
  /** Nothing is added to this month any more. */
  readonly isClosed: boolean;
  readonly opening: number;
  readonly closing: number;
  /** `closing − opening − Σ amounts`: 0, unless balances were changed without a posting. */
  readonly difference: number;
  /** Day ascending. */
  readonly sums: readonly StatementSum[];
  /**
   * Charges by day and model, day ascending; only as far as hourly sums are kept, and of days on
   * which they name no more than was charged (docs/rules/ledger.md#statement).
   */
  readonly charges: readonly ModelCharges[];
  /** Everything else, oldest first: the first ones, and the number of all. */
  readonly movements: Listing<Posting>;
  /** The months with a statement, newest first. */
  readonly months: readonly number[];
}

export interface ModelCharges {
  readonly day: number;
  readonly model: string;
  readonly requests: number;
  readonly tokens: number;
  readonly quota: number;
}

export interface StatementService {
  /**
   * The statement of a month (year × 100 + month; absent: the current one). Throws AppError
   * invalid_parameter.
   */
  statement(userId: number, month?: number): Promise<Statement>;
  /** The postings of a month other than charges, oldest first. */
  movements(
    userId: number,
    month: number,
    page: PageRequest,
    kind?: LedgerKind,
  ): Promise<Listing<Posting>>;
}

/** Seconds from the beginning of an hour to its last one. */
const lastOfHour = 3599;

/** Postings that come with a statement; the others are read in pages. */
const firstMovements = { offset: 0, limit: 200 };

export function createStatementService({ storage, clock }: StatementDeps): StatementService {
  const { statements, quotaData } = storage;

  const frameOf = async (userId: number, month: number) => {
    const months = await statements.months(userId);
    const before: StatementMonth | undefined = months.filter((entry) => entry.month < month).at(-1);
    const own = months.find((entry) => entry.month === month);
    const after = before?.lastId ?? 0;
    return {
      months,
      opening: before?.closing ?? 0,
      closing: own?.closing,
      range: { after, upTo: own?.lastId ?? after },
    };
  };

  /**
   * The frame and the sums of a month as they are together: read anew if more was summed meanwhile.
   */
  const readMonth = async (userId: number, month: number) => {
    await sumUser(storage, userId);
    for (;;) {
      const { lastId } = await statements.progress(userId);
      const frame = await frameOf(userId, month);
      const sums = await statements.sums(userId, month);
      if ((await statements.progress(userId)).lastId === lastId) return { ...frame, sums };
    }
  };

  /** `sums`: of the month. */
  const chargesOf = async (
    userId: number,
    month: number,
    sums: readonly StatementSum[],
  ): Promise<readonly ModelCharges[]> => {
    const { start, end } = spanOf(month);
    const hours = await quotaData.list({ userId, from: start, to: end - 1 });
    const charged = new Map(
      sums.filter(({ kind }) => kind === 'charge').map(({ day, amount }) => [day, -amount]),
    );
    const named = [...Map.groupBy(hours, ({ createdAt }) => dayOf(createdAt))].flatMap(
      ([day, ofDay]) => knownHours(ofDay, charged.get(day) ?? 0),
    );
    const cells = new Map<string, ModelCharges>();
    for (const { createdAt, modelName, count, tokenUsed, quota } of named) {
      if (quota === 0) continue;
      const day = dayOf(createdAt);
      const key = `${day} ${modelName}`;
      const cell = cells.get(key) ?? { day, model: modelName, requests: 0, tokens: 0, quota: 0 };
      cells.set(key, {
        ...cell,
        requests: cell.requests + count,
        tokens: addQuota(cell.tokens, tokenUsed),
        quota: addQuota(cell.quota, quota),
      });
    }
    return [...cells.values()].sort((a, b) => a.day - b.day || b.quota - a.quota);
  };

  const current = () => monthOf(dayOf(nowSeconds(clock)));

  return {
    async statement(userId, month = current()) {
      if (month > current()) {
        const max = monthText(current());
        throw new AppError('invalid_parameter', { field: 'month', reason: 'rule.max', max });
      }
      const { months, opening, closing = opening, range, sums } = await readMonth(userId, month);
      const [charges, movements, { month: closed }] = await Promise.all([
        chargesOf(userId, month, sums),
        statements.movements(userId, range, firstMovements),
        statements.progress(0),
      ]);
      const total = sums.reduce((sum, { amount }) => addQuota(sum, amount), 0);
      const difference = Number(exactDifference(closing, addQuota(opening, total)));
      return {
        userId,
        month,
        opening,
        closing,
        difference,
        sums,
        charges,
        movements,
        isClosed: month <= closed,
        months: monthsFrom(months[0]?.month ?? current(), current()),
      };
    },
    async movements(userId, month, page, kind) {
      await sumUser(storage, userId);
      const { range } = await frameOf(userId, month);
      return statements.movements(userId, { ...range, ...(kind !== undefined && { kind }) }, page);
    },
  };
}

interface Hour {
  readonly createdAt: number;
  readonly quota: number;
}

/**
 * The hours of a day that are of no other, if they have no more than was charged on it. A charge of
 * its last hour may have been posted to the next day.
 */
function knownHours<Row extends Hour>(ofDay: readonly Row[], charged: number): readonly Row[] {
  const whole = ofDay.filter(({ createdAt }) => dayOf(createdAt) === dayOf(createdAt + lastOfHour));
  const before = whole.filter(
    ({ createdAt }) => dayOf(createdAt) === dayOf(createdAt + lastOfHour + 1),
  );
  const fits = (rows: readonly Row[]) =>
    rows.reduce((sum, { quota }) => addQuota(sum, quota), 0) <= charged;
  return [whole, before].find(fits) ?? [];
}

/** All months of a span, newest first: also those in which nothing was posted have a statement. */
function monthsFrom(first: number, last: number): readonly number[] {
  const months: number[] = [];
  for (let month = first; month <= last; month = monthAfter(month)) months.unshift(month);
  return months;
}
