// Covers src/core/billing/statement-months.ts, src/core/billing/statement-sums.ts, src/core/billing/statement-csv.ts.
/** Months and days of statements, which day a posting belongs to, and the lines of the file. */
import { describe, expect, it } from 'vitest';
import type { Statement, StatementService } from '../../../src/core/billing/statement.ts';
import { statementFile } from '../../../src/core/billing/statement-csv.ts';
import {
  dayOf,
  dayText,
  monthAfter,
  monthBefore,
  monthOf,
  monthText,
  spanOf,
} from '../../../src/core/billing/statement-months.ts';
import { sumPostings } from '../../../src/core/billing/statement-sums.ts';
import { localTimeText } from '../../../src/core/kernel/local-time.ts';
import type { Posting, SummedPosting } from '../../../src/core/storage/storage.ts';

const at = (...[year, month, day, hour = 0]: [number, number, number, number?]) =>
  new Date(year, month - 1, day, hour).getTime() / 1000;

it.each([
  [202611, 202610, 202612, '2026-11'],
  [202612, 202611, 202701, '2026-12'],
  [202601, 202512, 202602, '2026-01'],
  [202602, 202601, 202603, '2026-02'],
])('the months around %i', (month, before, after, text) => {
  expect([monthBefore(month), monthAfter(month), monthText(month)]).toEqual([before, after, text]);
  expect(spanOf(month)).toEqual({
    start: at(Math.floor(month / 100), month % 100, 1),
    end: at(Math.floor(after / 100), after % 100, 1),
  });
});

it.each([
  [at(2026, 11, 3), 20261103, '2026-11-03'],
  [at(2026, 12, 31, 23) + 3599.9, 20261231, '2026-12-31'],
  [at(2027, 1, 1), 20270101, '2027-01-01'],
])('the second %d is of the day %i', (seconds, day, text) => {
  expect([dayOf(seconds), monthOf(day), dayText(day)]).toEqual([day, Math.floor(day / 100), text]);
});

describe('postings', () => {
  const posting = (id: number, createdAt: number, amount: number, kind = 'charge') =>
    ({ id, userId: 1, kind, amount, balanceAfter: 100 + id, createdAt }) as SummedPosting;
  const sum = (day: number, kind: string, count: number, amount: number) => ({
    month: Math.floor(day / 100),
    day,
    kind,
    count,
    amount,
  });

  it('are summed by day and kind, in months that follow each other', () => {
    const postings = [
      posting(1, at(2026, 10, 30), -5),
      posting(2, at(2026, 10, 30, 5), -7),
      posting(3, at(2026, 10, 30), 50, 'top_up'),
      posting(4, at(2026, 11, 1), -1),
      // Of a month that later postings have closed for this user.
      posting(5, at(2026, 10, 31), -2),
    ];
    expect(sumPostings(postings, 0)).toEqual({
      to: { lastId: 5, balance: 105, month: 202611 },
      sums: [
        sum(20261030, 'charge', 2, -12),
        sum(20261030, 'top_up', 1, 50),
        sum(20261101, 'charge', 2, -3),
      ],
      months: [
        { month: 202610, lastId: 3, closing: 103 },
        { month: 202611, lastId: 5, closing: 105 },
      ],
    });
  });

  it('of a closed month are of the first day of the next', () => {
    const late = [posting(1, at(2026, 9, 30), -5), posting(2, at(2026, 10, 2), -7)];
    expect(sumPostings(late, 202610)).toMatchObject({
      sums: [sum(20261001, 'charge', 1, -5), sum(20261002, 'charge', 1, -7)],
      months: [{ month: 202610, lastId: 2, closing: 102 }],
    });
    expect(sumPostings([], 202610)).toEqual({
      to: { lastId: 0, balance: 0, month: 202610 },
      sums: [],
      months: [],
    });
  });
});

describe('the file', () => {
  const movement = (id: number, amount: number, reference: string | null) =>
    ({ id, kind: 'top_up', amount, reference, createdAt: at(2026, 11, 2) }) as Posting;
  const statement = (more: Partial<Statement> = {}): Statement => ({
    userId: 4,
    month: 202611,
    isClosed: true,
    opening: 500,
    closing: 900,
    difference: 0,
    sums: [],
    charges: [],
    movements: { items: [], total: 0 },
    months: [],
    ...more,
  });
  const lines = async (given: Statement, service: Partial<StatementService> = {}) => {
    const { name, type, chunks } = statementFile(service as StatementService, given, {
      quotaPerUnit: 1000,
      describe: async (postings) => postings.slice(0, 1).map(({ id }) => `about ${id}`),
    });
    let text = '';
    for await (const chunk of chunks) text += chunk;
    expect([name, type]).toEqual(['statement-4-2026-11.csv', 'text/csv; charset=utf-8']);
    expect(text.startsWith('\uFEFF')).toBe(true);
    return text.slice(1).trimEnd().split(/\r?\n/);
  };
  const head = 'date,kind,detail,count,quota,amount,posting_id,reference';
  const opening = '2026-11,opening_balance,,,500,0.5,,';
  const closing = '2026-11,closing_balance,,,900,0.9,,';

  it('begins and ends with the balance, and says what nothing explains', async () => {
    expect(await lines(statement())).toEqual([head, opening, closing]);
    expect(await lines(statement({ difference: -3 }))).toEqual([
      head,
      opening,
      '2026-11,unexplained,,,-3,-0.003,,',
      closing,
    ]);
  });

  it('has all movements, read in pages up to the number that there were', async () => {
    const asked: unknown[] = [];
    const items = [movement(1, 700, 'R1'), movement(2, -30, null)];
    const rows = await lines(statement({ movements: { items, total: 1503 } }), {
      movements: async (...given) => {
        asked.push(given);
        return { items: [movement(3, 1, 'R3')], total: 9999 };
      },
    });
    expect(asked).toEqual([
      [4, 202611, { offset: 2, limit: 1000 }],
      [4, 202611, { offset: 1002, limit: 501 }],
    ]);
    const date = localTimeText(at(2026, 11, 2));
    expect(rows.slice(2, 5)).toEqual([
      `${date},top_up,about 1,1,700,0.7,1,R1`,
      `${date},top_up,,1,-30,-0.03,2,`,
      `${date},top_up,about 3,1,1,0.001,3,R3`,
    ]);
    expect(rows).toHaveLength(7);
  });

  it('has charges by day and model, and what of a day no model is known for', async () => {
    const sums = [
      { month: 202611, day: 20261103, kind: 'charge', count: 5, amount: -100 },
      { month: 202611, day: 20261104, kind: 'charge', count: 1, amount: -40 },
      { month: 202611, day: 20261104, kind: 'top_up', count: 1, amount: 7 },
    ] as const;
    const charge = (day: number, model: string, requests: number, quota: number) => ({
      day,
      model,
      requests,
      tokens: 9,
      quota,
    });
    const charges = [
      charge(20261102, 'm', 1, 10),
      charge(20261103, 'm', 2, 30),
      charge(20261104, 'm', 3, 40),
    ];
    expect((await lines(statement({ sums, charges }))).slice(2, -1)).toEqual([
      '2026-11-02,charge,m,1,-10,-0.01,,',
      '2026-11-02,charge,,0,10,0.01,,',
      '2026-11-03,charge,m,2,-30,-0.03,,',
      '2026-11-03,charge,,3,-70,-0.07,,',
      '2026-11-04,charge,m,3,-40,-0.04,,',
    ]);
  });
});
