/**
 * Random charges over many hours, with restarts between them: hourly sums, log rows and postings
 * say the same.
 */
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import type { OpenStorage } from '../../../src/core/storage/open.ts';
import { fc, runs } from '../../support/property.ts';
import { forEachEngine } from '../../support/storage.ts';
import { addUser, charge, holdFor, logFor, openLedger } from './ledger-support.ts';

const hour = 3600;
/** Each run has hours of its own, so that all of them can share a database. */
let firstHour = 1_700_002_800;
const hours = 30;

const charges = fc.record({
  hour: fc.nat(hours - 1),
  user: fc.nat(2),
  channel: fc.nat(2),
  model: fc.constantFrom('a', 'b', 'c'),
  amount: fc.oneof(fc.constant(0), fc.nat(5000)),
  tokens: fc.nat(900),
  cost: fc.option(fc.nat(9000), { nil: undefined }),
  tags: fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { maxLength: 2 }),
});
type Charge = typeof charges extends fc.Arbitrary<infer Value> ? Value : never;
/** Each session ends with a restart of the process. */
const sessions = fc.array(fc.array(charges, { maxLength: 25 }), { minLength: 1, maxLength: 3 });

interface World {
  readonly users: readonly number[];
  readonly channels: readonly number[];
}

async function createWorld(storage: OpenStorage): Promise<World> {
  const channel = {
    type: 1,
    name: 'c',
    key: new Secret('k'),
    createdTime: 1,
    models: 'a',
    group: 'default',
  };
  const users = [await addUser(storage), await addUser(storage), await addUser(storage)];
  const before = openLedger(storage, {
    clock: { ...systemClock, now: () => (firstHour - hour) * 1000 },
    node: 'before',
  });
  for (const userId of users)
    await before.post({ userId, kind: 'grant', amount: toQuota(1_000_000), reference: null });
  await before.close?.();
  return {
    users,
    channels: [0, ...(await storage.channels.insertMany([channel, channel]))],
  };
}

async function runSession(
  storage: OpenStorage,
  world: World,
  session: readonly Charge[],
  node: string,
): Promise<void> {
  const inOrder = [...session].sort((one, other) => one.hour - other.hour);
  let now = firstHour;
  const clock = { ...systemClock, now: () => now * 1000 };
  const ledger = openLedger(storage, { clock, node });
  for (const one of inOrder) {
    const userId = world.users[one.user] ?? 0;
    const at = firstHour + one.hour * hour + one.tokens;
    now = at;
    const hold = await ledger.hold(holdFor(userId, 0, 0));
    await ledger.settle(hold, {
      ...charge(one.amount, world.channels[one.channel]),
      log: { ...logFor(userId, hold.requestId, one.amount), createdAt: at, modelName: one.model },
      rollup: {
        modelName: one.model,
        username: `user ${one.user}`,
        hour: at - (at % hour),
        tokens: one.tokens,
        cost: one.cost,
        ...(one.tags.length > 0 && { tags: one.tags }),
      },
    });
  }
  await ledger.drain();
  await ledger.close?.();
}

const sum = <Row>(rows: readonly Row[], figure: (row: Row) => number) =>
  rows.reduce((total, row) => total + figure(row), 0);

forEachEngine('hourly sums', (engine) => {
  it.skipIf(engine.name === 'sqlite in memory')(
    'are those of log rows and postings, whenever the process was restarted',
    async () => {
      const url = await engine.freshUrl();
      let storage = await engine.open({ url });
      await fc.assert(
        fc.asyncProperty(sessions, async (all) => {
          firstHour += hours * hour;
          const world = await createWorld(storage);
          for (const [index, session] of all.entries()) {
            await runSession(storage, world, session, `node ${index}`);
            await storage.close();
            storage = await engine.open({ url });
          }
          const expected = all.flat();
          const starts = Array.from({ length: hours }, (_, index) => firstHour + index * hour);
          const spans = { starts, end: firstHour + hours * hour };
          const rows = await storage.quotaData.list({ from: firstHour });
          const postings = (
            await storage.ledger.page({ from: firstHour }, { offset: 0, limit: 1000 })
          ).items;
          const logs = (await storage.logs.page({ from: firstHour }, { offset: 0, limit: 1000 }))
            .items;

          for (const [index, start] of starts.entries()) {
            const here = expected.filter((one) => one.hour === index);
            const at = (time: number) => time >= start && time < start + hour;
            const quota = sum(here, ({ amount }) => amount);
            expect(
              sum(
                rows.filter((row) => row.createdAt === start),
                (row) => row.quota,
              ),
            ).toBe(quota);
            expect(
              sum(
                logs.filter((row) => at(row.createdAt)),
                (row) => row.quota,
              ),
            ).toBe(quota);
            expect(
              sum(
                postings.filter((row) => at(row.createdAt)),
                (row) => -row.amount,
              ),
            ).toBe(quota);
          }
          for (const [index, userId] of world.users.entries()) {
            const own = expected.filter((one) => one.user === index);
            const sums = await storage.quotaData.listSpans(spans, { userId });
            expect(sum(sums, (row) => row.quota)).toBe(sum(own, (one) => one.amount));
            expect(sum(sums, (row) => row.count)).toBe(own.length);
            const byTag = await storage.quotaData.listTagSpans(spans, userId);
            for (const tag of ['x', 'y', 'z'] as const) {
              const tagged = own.filter(({ tags }) => tags.includes(tag));
              const ofTag = byTag.filter((row) => row.tag === tag);
              expect(sum(ofTag, (row) => row.quota)).toBe(sum(tagged, (one) => one.amount));
              expect(sum(ofTag, (row) => row.count)).toBe(tagged.length);
              expect(sum(ofTag, (row) => row.tokenUsed)).toBe(sum(tagged, (one) => one.tokens));
            }
          }
          const byModel = (
            await storage.quotaData.listSpans({ starts: [firstHour], end: spans.end })
          ).map(({ modelName, count, quota, tokenUsed }) => [modelName, count, quota, tokenUsed]);
          const models = [...new Set(expected.map(({ model }) => model))].sort();
          expect(byModel.sort()).toEqual(
            models.map((model) => {
              const ofModel = expected.filter((one) => one.model === model);
              return [
                model,
                ofModel.length,
                sum(ofModel, (one) => one.amount),
                sum(ofModel, (one) => one.tokens),
              ];
            }),
          );
          const channels = await storage.quotaData.listMargins(spans);
          for (const [index, channelId] of world.channels.entries()) {
            const own = expected.filter((one) => one.channel === index);
            const known = own.filter(({ cost }) => cost !== undefined);
            const ofChannel = channels.filter((row) => row.channelId === channelId);
            expect(sum(ofChannel, (row) => row.quota)).toBe(sum(own, (one) => one.amount));
            expect(sum(ofChannel, (row) => row.cost)).toBe(sum(known, (one) => one.cost ?? 0));
            expect(sum(ofChannel, (row) => row.costedQuota)).toBe(sum(known, (one) => one.amount));
            expect(sum(ofChannel, (row) => row.costedCount)).toBe(known.length);
            expect(
              (await storage.channels.find(channelId))?.usedQuota ??
                toQuota(sum(own, (one) => one.amount)),
            ).toBe(sum(own, (one) => one.amount));
          }
        }),
        runs(4),
      );
    },
    60_000,
  );

  it('give the balance at the beginning of any hour, from the postings', async () => {
    const storage = await engine.open();
    let now = firstHour;
    const ledger = openLedger(storage, { clock: { ...systemClock, now: () => now * 1000 } });
    const [userId, other] = [await addUser(storage), await addUser(storage)];
    const post = (at: number, user: number, amount: number) => {
      now = at;
      return ledger.post({ userId: user, kind: 'grant', amount: toQuota(amount), reference: null });
    };
    await post(firstHour + 10, userId, 100);
    await post(firstHour + hour - 1, other, 7);
    await post(firstHour + 3 * hour, userId, -30);
    await post(firstHour + 3 * hour + 5, userId, 1);
    const times = [-1, 0, 1, 2, 3, 4, 50].map((index) => firstHour + index * hour);
    expect(await storage.ledger.balancesAt(userId, times)).toEqual([0, 0, 100, 100, 100, 71, 71]);
    expect(await storage.ledger.balancesAt(other, times)).toEqual([0, 0, 7, 7, 7, 7, 7]);
    expect(await storage.ledger.balancesAt(999, times.slice(0, 2))).toEqual([0, 0]);
    expect(await storage.ledger.balancesAt(userId, [])).toEqual([]);
  });
});
