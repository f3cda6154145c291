/** Which charges and months a statement names (docs/rules/ledger.md#statement). */
import { expect, it, vi } from 'vitest';
import { createStatementService, type StatementDeps } from '../../../src/core/billing/statement.ts';
import { codeOf } from './ledger-support.ts';

const at = (day: number, hour: number) => new Date(2026, 9, day, hour).getTime() / 1000;

/** User 1 has these hours of charges, and these sums of charges by day. */
function open(
  hours: readonly { createdAt: number; modelName: string; quota: number }[] = [],
  charged: Readonly<Record<number, number>> = {},
) {
  const rows = hours.map((hour) => ({ count: 1, tokenUsed: 10, ...hour }));
  const progress = async () => ({ lastId: 0, balance: 0, month: 0 });
  const none = async () => [];
  const sums = async (_user: number, month: number) =>
    Object.entries(charged).map(([day, quota]) => ({
      month,
      day: month * 100 + Number(day),
      kind: 'charge',
      count: 1,
      amount: -quota,
    }));
  const statements = { progress, postingsAfter: none, months: none, sums };
  const storage = {
    statements: { ...statements, movements: async () => ({ items: [], total: 0 }) },
    quotaData: {
      list: async ({ from, to }: { from: number; to: number }) =>
        rows.filter(({ createdAt }) => createdAt >= from && createdAt <= to),
    },
  } as unknown as StatementDeps['storage'];
  const clock = { now: () => at(20, 12) * 1000, sleep: async () => {} };
  return createStatementService({ storage, clock });
}

const cell = (day: number, model: string, requests: number, quota: number) => ({
  day: 20261000 + day,
  model,
  requests,
  tokens: 10 * requests,
  quota,
});

it('names no more charges of a day than were posted on it', async () => {
  const hours = [
    { createdAt: at(1, 5), modelName: 'a', quota: 3 },
    { createdAt: at(2, 5), modelName: 'imported', quota: 4 },
    { createdAt: at(3, 5), modelName: 'imported', quota: 1 },
  ];
  const { charges } = await open(hours, { 1: 3, 2: 3 }).statement(1);
  expect(charges).toEqual([cell(1, 'a', 1, 3)]);
});

it('leaves out the last hour of a day where a charge of it was posted to the next', async () => {
  const hours = [
    { createdAt: at(1, 22), modelName: 'a', quota: 3 },
    { createdAt: at(1, 23), modelName: 'a', quota: 4 },
  ];
  expect((await open(hours, { 1: 7 }).statement(1)).charges).toEqual([cell(1, 'a', 2, 7)]);
  expect((await open(hours, { 1: 5 }).statement(1)).charges).toEqual([cell(1, 'a', 1, 3)]);
});

it('leaves out hours that are of two days', async () => {
  vi.stubEnv('TZ', 'Asia/Kolkata');
  try {
    const hour = (text: string) => Date.parse(text) / 1000;
    const hours = [
      // 23:30 of the 1st to 00:30 of the 2nd, and the hour after it.
      { createdAt: hour('2026-10-01T18:00:00Z'), modelName: 'both', quota: 3 },
      { createdAt: hour('2026-10-01T19:00:00Z'), modelName: 'second', quota: 2 },
      // Of October and November.
      { createdAt: hour('2026-10-31T18:00:00Z'), modelName: 'both', quota: 3 },
    ];
    const { charges } = await open(hours, { 1: 9, 2: 9, 31: 9 }).statement(1, 202610);
    expect(charges).toEqual([cell(2, 'second', 1, 2)]);
  } finally {
    vi.unstubAllEnvs();
  }
});

it('names charges by day, the model that cost most first; what was free is no charge', async () => {
  const { charges } = await open(
    [
      { createdAt: at(0, 23), modelName: 'september', quota: 1 },
      { createdAt: at(31, 23), modelName: 'c', quota: 1 },
      { createdAt: at(2, 5), modelName: 'a', quota: 2 },
      { createdAt: at(2, 6), modelName: 'free', quota: 0 },
      { createdAt: at(2, 7), modelName: 'b', quota: 5 },
      { createdAt: at(2, 8), modelName: 'a', quota: 2 },
      { createdAt: at(1, 0), modelName: 'a', quota: 3 },
      { createdAt: at(32, 0), modelName: 'november', quota: 1 },
    ],
    { 1: 3, 2: 9, 31: 5 },
  ).statement(1);
  expect(charges).toEqual([
    cell(1, 'a', 1, 3),
    cell(2, 'b', 1, 5),
    cell(2, 'a', 2, 4),
    cell(31, 'c', 1, 1),
  ]);
});

it('has this month where nothing was posted, and none of the future', async () => {
  const service = open();
  expect(await service.statement(1)).toMatchObject({ month: 202610, months: [202610] });
  expect(await codeOf(service.statement(1, 202611))).toBe('invalid_parameter');
});
