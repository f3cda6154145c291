/**
 * Random batches with items at fault, on every engine, against a model that settles one item after
 * the other.
 */
import { expect, it } from 'vitest';
import { planBatch } from '../../../src/core/billing/index.ts';
import { createSettlementQueue } from '../../../src/core/billing/settlement-queue.ts';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import type { Guard } from '../../../src/core/storage/ledger/guards.ts';
import { createPostgresLedgerStore } from '../../../src/core/storage/ledger/postgres-store.ts';
import {
  type Settlement,
  type SettlementResult,
  textOfBatch,
} from '../../../src/core/storage/ledger/settlement.ts';
import type { OpenStorage } from '../../../src/core/storage/open.ts';
import { fc, runs } from '../../support/property.ts';
import { forEachEngineInTurn } from '../../support/storage.ts';
import { LedgerModel, type ModelResult } from './ledger-model.ts';
import { addToken, addUser, codeOf, logFor, redeemGuard } from './ledger-support.ts';

/** Of a token or code that never was. Each world has a user of its own that no longer exists. */
const missing = 999_999;

/** Names of what a run works on; the numbers of users, tokens, … are their places in the world. */
const charges = fc.record({
  kind: fc.constant('charge' as const),
  user: fc.nat(2),
  token: fc.nat(3),
  channel: fc.nat(2),
  amount: fc.oneof(fc.constant(0), fc.nat(500)),
  logged: fc.boolean(),
  rolled: fc.constantFrom('no', 'ann', 'bob'),
  hour: fc.constantFrom(3600, 7200),
  task: fc.constantFrom('none', 'task', 'drawing'),
});
const refunds = fc.record({
  kind: fc.constant('refund' as const),
  user: fc.nat(2),
  task: fc.constantFrom('task' as const, 'drawing' as const),
  charges: fc.array(
    fc.record({
      token: fc.nat(3),
      channel: fc.nat(2),
      amount: fc.oneof(fc.constant(0), fc.nat(300)),
      rolled: fc.constantFrom('no', 'ann', 'bob'),
      hour: fc.constantFrom(3600, 7200),
    }),
    { minLength: 1, maxLength: 2 },
  ),
});
const postings = fc.record({
  kind: fc.constant('posting' as const),
  posting: fc.constantFrom('grant' as const, 'top_up' as const),
  user: fc.nat(2),
  amount: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: -300, max: 600 }) },
    fc.constant(Number.MAX_SAFE_INTEGER),
  ),
  reference: fc.constantFrom(null, 'a', 'b'),
  guard: fc.constantFrom('none', 'code', 'order', 'no such code'),
});
const allowances = fc.record({
  kind: fc.constant('allowance' as const),
  token: fc.nat(3),
  remain: fc.option(fc.integer({ min: -50, max: 900 }), { freq: 4 }),
  unlimited: fc.boolean(),
});
/** How an item is at fault; `null content` is found by the database, the others before. */
const poisons = ['null content', 'fraction of a second', 'half a quota', 'unsafe charge'] as const;
const command = fc.record({
  action: fc.oneof(
    { weight: 4, arbitrary: charges },
    { weight: 2, arbitrary: postings },
    allowances,
    refunds,
  ),
  poison: fc.option(fc.constantFrom(...poisons), { freq: 9 }),
});
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

interface World {
  readonly users: readonly number[];
  readonly tokens: readonly number[];
  readonly channels: readonly number[];
  readonly code: number;
  readonly order: number;
  readonly orderNumber: string;
  readonly task: number;
  readonly drawing: number;
}

let serial = 0;

async function createWorld(storage: OpenStorage, model: LedgerModel): Promise<World> {
  serial += 1;
  const users = [await addUser(storage), await addUser(storage)];
  const tokens = [
    await addToken(storage, users[0] ?? 0, 1000),
    await addToken(storage, users[1] ?? 0, 0, true),
  ];
  const channel = {
    type: 1,
    name: 'c',
    key: new Secret('k'),
    createdTime: 1,
    models: 'm',
    group: 'default',
  };
  const channels = await storage.channels.insertMany([channel, channel]);
  const [code = 0] = await storage.redemptions.insertMany([
    { userId: 1, key: new Secret(`code ${serial}`), name: 'n', quota: toQuota(5), createdTime: 1 },
  ]);
  const orderNumber = `order ${serial}`;
  const order = await storage.topUps.insert({
    userId: users[0] ?? 0,
    amount: 1,
    moneyCents: 1,
    quota: toQuota(5),
    tradeNo: orderNumber,
    status: 'pending',
    paymentMethod: '',
    goodsName: '',
    createTime: 1,
    topUpCode: '',
  });
  for (const id of users) model.users.set(id, { quota: 0, usedQuota: 0, requestCount: 0 });
  for (const id of tokens) {
    const {
      remainQuota = 0,
      unlimitedQuota = false,
      accessedTime = 0,
    } = (await storage.tokens.find(id)) ?? {};
    model.tokens.set(id, { remainQuota, unlimitedQuota, usedQuota: 0, accessedTime });
  }
  const work = { userId: users[0] ?? 0, status: 'NOT_START' };
  const task = await storage.tasks.insert({
    ...work,
    taskId: `task ${serial}`,
    platform: 'suno',
    createdAt: 1,
  });
  const drawing = await storage.midjourneys.insert({ ...work, action: 'IMAGINE', submitTime: 1 });
  model.states.set(`redemptions ${code}`, 1).set(`top_ups ${order}`, 'pending');
  model.states.set(`tasks ${task}`, 'NOT_START').set(`midjourneys ${drawing}`, 'NOT_START');
  return {
    users: [...users, missing + serial],
    tokens: [0, ...tokens, missing],
    channels: [0, ...channels],
    code,
    order,
    orderNumber,
    task,
    drawing,
  };
}

function toSettlement({ action }: Command, world: World, requestId: string): Settlement {
  const at = 1000 + serial;
  if (action.kind === 'allowance') {
    return {
      kind: 'allowance',
      tokenId: world.tokens[action.token] ?? 0,
      remainQuota: action.remain,
      unlimited: action.unlimited,
      at,
    };
  }
  const userId = world.users[action.user] ?? 0;
  const rollupOf = ({ rolled, hour }: { rolled: string; hour: number }) =>
    rolled === 'no' ? null : { modelName: `m ${serial}`, username: rolled, hour, tokens: 3 };
  if (action.kind === 'refund') {
    return {
      kind: 'refund',
      userId,
      charges: action.charges.map((charged) => ({
        amount: charged.amount,
        tokenId: world.tokens[charged.token] ?? 0,
        channelId: world.channels[charged.channel] ?? 0,
        rollup: rollupOf(charged),
      })),
      reference: `${action.task} ${serial}`,
      at,
      log: null,
      guard: taskGuard(world, action.task, 'SUBMITTED', 'FAILURE', 0),
    };
  }
  if (action.kind === 'charge') {
    const { amount, logged, task } = action;
    return {
      kind: 'charge',
      requestId,
      userId,
      tokenId: world.tokens[action.token] ?? 0,
      channelId: world.channels[action.channel] ?? 0,
      amount,
      at,
      log: logged ? logFor(userId, requestId, amount) : null,
      rollup: rollupOf(action),
      ...(task !== 'none' && { guard: taskGuard(world, task, 'NOT_START', 'SUBMITTED', amount) }),
    };
  }
  const guards: Readonly<Record<typeof action.guard, Guard | null>> = {
    none: null,
    code: redeemGuard(world.code, userId),
    'no such code': redeemGuard(missing, userId),
    order: {
      table: 'top_ups',
      id: world.order,
      from: 'pending',
      to: 'success',
      set: { finish_time: 9, provider_trade_no: 'p' },
    },
  };
  const reference = action.reference === null ? null : `${action.reference} ${serial}`;
  const { posting, amount, guard } = action;
  return {
    kind: 'posting',
    posting,
    userId,
    amount,
    reference,
    at,
    log: null,
    guard: guards[guard],
  };
}

function taskGuard(
  { task, drawing }: World,
  which: 'task' | 'drawing',
  from: string,
  to: string,
  quota: number,
): Guard {
  return which === 'task'
    ? { table: 'tasks', id: task, from, to, set: { quota, data: `${to} data`, private_data: '' } }
    : { table: 'midjourneys', id: drawing, from, to, set: { quota, mj_id: `${to} id`, code: 1 } };
}

function poison(item: Settlement, how: (typeof poisons)[number]): Settlement {
  if (item.kind === 'release') return item;
  if (item.kind === 'allowance') return { ...item, remainQuota: 0.5 };
  if (item.kind === 'refund')
    return { ...item, charges: [{ amount: 0.5, tokenId: 0, channelId: 0, rollup: null }] };
  const log = logFor(item.userId, 'poisoned', 1);
  // A log row is written for whom it may concern; a posting is only reached if it is not skipped.
  const sure =
    item.kind === 'posting'
      ? { ...item, reference: null, guard: null }
      : { ...item, guard: undefined };
  switch (how) {
    case 'null content':
      return item.userId > missing
        ? { ...item, amount: 0.5 }
        : { ...sure, amount: 1, log: { ...log, content: null as unknown as string } };
    case 'fraction of a second':
      return { ...item, log: { ...log, useTime: 0.5 } };
    case 'half a quota':
      return { ...item, amount: 0.5 };
    case 'unsafe charge':
      return { ...item, amount: 2 ** 53 };
  }
}

function commitOf(
  storage: OpenStorage,
): (batch: readonly Settlement[]) => Promise<readonly SettlementResult[]> {
  const { settle } = storage;
  if (settle !== undefined) return (batch) => settle(textOfBatch(batch));
  if (storage.postgres === undefined) throw new Error('an engine without a ledger');
  return createPostgresLedgerStore(storage.postgres, 'property', planBatch).settle;
}

/** Everything that the database now says about the world, in the model's shape. */
async function readBack(storage: OpenStorage, world: World) {
  const users = await Promise.all(world.users.slice(0, 2).map((id) => storage.users.find(id)));
  const tokens = await Promise.all(world.tokens.slice(1, 3).map((id) => storage.tokens.find(id)));
  const channels = await Promise.all(
    world.channels.slice(1).map((id) => storage.channels.find(id)),
  );
  const pages = await Promise.all(
    world.users.map((userId) =>
      storage.ledger.page(
        { userId, from: 1000 + serial, to: 1000 + serial },
        { offset: 0, limit: 1000 },
      ),
    ),
  );
  const rollups = (await storage.quotaData.list({ from: 0, to: 9999 })).filter(
    ({ modelName }) => modelName === `m ${serial}`,
  );
  return {
    users: users.map((user) => ({
      quota: user?.quota,
      usedQuota: user?.usedQuota,
      requestCount: user?.requestCount,
    })),
    tokens: tokens.map((token) => ({
      remainQuota: token?.remainQuota,
      unlimitedQuota: token?.unlimitedQuota,
      usedQuota: token?.usedQuota,
      accessedTime: token?.accessedTime,
    })),
    channels: channels.map((channel) => channel?.usedQuota),
    postings: pages.flatMap(({ items }) => items).sort((a, b) => a.id - b.id),
    rollups: new Map(
      rollups.map(({ userId, username, modelName, createdAt, count, quota, tokenUsed }) => [
        [userId, username, modelName, createdAt].join(' '),
        { count, quota, tokenUsed },
      ]),
    ),
    code: (await storage.redemptions.find(world.code))?.status,
    order: await storage.topUps.findByTradeNo(world.orderNumber),
    task: await storage.tasks.find(world.task),
    drawing: await storage.midjourneys.find(world.drawing),
  };
}

forEachEngineInTurn('settlements', (engine) => {
  it('come to the same as one after the other, whatever is refused among them', async () => {
    const storage = await engine.open();
    const commit = commitOf(storage);
    const batches = fc.array(fc.array(command, { minLength: 1, maxLength: 12 }), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(batches, async (groups) => {
        const model = new LedgerModel();
        const world = await createWorld(storage, model);
        const logged: unknown[] = [];
        const order: Settlement[] = [];
        const queue = createSettlementQueue({
          commit,
          clock: systemClock,
          logger: {
            ...silentLogger,
            error: (fields) => logged.push('settlement' in fields ? fields.settlement : fields),
          },
          onSettled: (item) => order.push(item),
        });
        const items: Settlement[] = [];
        const expected: ModelResult[] = [];
        const actual: ModelResult[] = [];
        for (const group of groups) {
          const written = group.map((one, index) => {
            const plain = toSettlement(one, world, `${serial}-${items.length}-${index}`);
            const item = one.poison === null ? plain : poison(plain, one.poison);
            items.push(item);
            expected.push(model.apply(item, one.poison !== null));
            return queue.write(item);
          });
          // Written at once, so they are one batch.
          for (const result of await Promise.all(
            written.map((write) => write.catch(async () => codeOf(write))),
          )) {
            actual.push(
              result === 'ledger_refused' || result === 'balance_limit'
                ? 'refused'
                : typeof result !== 'string' && result.done
                  ? 'written'
                  : 'skipped',
            );
          }
        }
        expect(actual).toEqual(expected);
        expect(logged).toEqual(items.filter((_, index) => expected[index] === 'refused'));
        expect(order).toEqual(items);

        const stored = await readBack(storage, world);
        expect(stored.users).toEqual([...model.users.values()]);
        expect(stored.tokens).toEqual([...model.tokens.values()]);
        expect(stored.channels).toEqual(
          world.channels.slice(1).map((id) => model.channels.get(id) ?? 0),
        );
        expect(stored.postings).toMatchObject(model.postings);
        expect(stored.postings).toHaveLength(model.postings.length);
        expect(stored.rollups).toEqual(model.rollups);
        expect(stored.code).toBe(model.states.get(`redemptions ${world.code}`));
        const [task, drawing] = [
          model.states.get(`tasks ${world.task}`),
          model.states.get(`midjourneys ${world.drawing}`),
        ];
        expect(stored.task).toMatchObject({
          status: task,
          data: task === 'NOT_START' ? '' : `${task} data`,
        });
        expect(stored.drawing).toMatchObject({
          status: drawing,
          mjId: drawing === 'NOT_START' ? '' : `${drawing} id`,
        });
        const paid = model.states.get(`top_ups ${world.order}`) === 'success';
        expect(stored.order).toMatchObject(
          paid
            ? { status: 'success', finishTime: 9, providerTradeNo: 'p' }
            : { status: 'pending', finishTime: 0, providerTradeNo: '' },
        );
        for (const { requestId, posted, debt } of model.logs) {
          const [row, ...more] = await storage.logs.listBefore(
            { request: requestId },
            undefined,
            2,
          );
          expect(more).toEqual([]);
          expect(row?.ledgerId !== null).toBe(posted);
          expect(JSON.parse(row?.other ?? '')).toEqual(debt > 0 ? { a: 1, debt } : { a: 1 });
        }
        expect(await storage.logs.listBefore({ request: 'poisoned' }, undefined, 2)).toEqual([]);
        expect(await storage.ledger.verify()).toEqual([]);
        expect(await storage.ledger.verifyTokens()).toEqual([]);
      }),
      runs(40),
    );
  });
});
