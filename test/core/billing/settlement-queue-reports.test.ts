// Covers src/core/billing/settlement-queue.ts.
/** What callers and the process log are told of settlements that are not in the ledger. */
import { describe, expect, it } from 'vitest';
import { createSettlementQueue } from '../../../src/core/billing/settlement-queue.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import type {
  JournaledCharge,
  Settlement,
  SettlementResult,
} from '../../../src/core/storage/ledger/settlement.ts';
import { RefusedItemError } from '../../../src/core/storage/ledger/write-errors.ts';

const grant: Settlement = {
  kind: 'posting',
  posting: 'grant',
  userId: 1,
  amount: 5,
  reference: null,
  at: 1,
  log: null,
  guard: null,
};
const charge: JournaledCharge = {
  kind: 'journaled',
  sequence: 4,
  userId: 1,
  tokenId: 5,
  amount: 3,
  json: '{"kind":"charge","amount":3}',
};

/** `commit` gives the result of each item, or throws. */
function openQueue(commit: () => SettlementResult, refusal?: () => AppError | undefined) {
  const settled: unknown[] = [];
  const logged: unknown[][] = [];
  const sleeps: PromiseWithResolvers<void>[] = [];
  const note = (...words: unknown[]) => void logged.push(words);
  const queue = createSettlementQueue<Settlement | JournaledCharge>({
    commit: async (batch) => batch.map(commit),
    refusal,
    onSettled: (...given) => settled.push(given),
    clock: {
      now: () => 0,
      sleep: (_, signal) => {
        const sleep = Promise.withResolvers<void>();
        signal?.addEventListener('abort', () => sleep.reject(signal.reason));
        sleeps.push(sleep);
        return sleep.promise;
      },
    },
    logger: { ...silentLogger, error: note, warn: note },
  });
  return { queue, settled, logged, sleeps };
}
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: AppError) => ({ code: error.code, params: error.params }),
  );
const lost = 'a settlement was refused and is not in the ledger';

describe('an item that the rules refuse', () => {
  it('is in the log with why', async () => {
    const refused = { done: false, balance: 0, refused: 'a fraction' };
    const { queue, settled, logged } = openQueue(() => refused);
    expect(await errorOf(queue.write(grant))).toEqual({
      code: 'ledger_refused',
      params: { reason: 'a fraction' },
    });
    expect(settled).toEqual([[grant, undefined]]);
    expect(logged).toEqual([[{ reason: 'a fraction', settlement: grant }, lost]]);
    expect(queue.isStalled()).toBe(false);
  });

  it('may be beyond the largest balance', async () => {
    const refused = { done: false, balance: 0, refused: 'too far', overLimit: true } as const;
    expect(await errorOf(openQueue(() => refused).queue.write(grant))).toEqual({
      code: 'balance_limit',
      params: { max: Number.MAX_SAFE_INTEGER },
    });
  });

  it('of the journal is in the log as the charge that it was', async () => {
    const { queue, logged } = openQueue(() => {
      throw new RefusedItemError(new Error('constraint'));
    });
    queue.add(charge);
    await queue.flush();
    const settlement = { kind: 'charge', amount: 3 };
    expect(logged).toEqual([[{ reason: 'constraint', settlement }, lost]]);
    expect(queue.isStalled()).toBe(false);
  });

  it('keeps the ledger’s own errors, and no other', async () => {
    for (const [code, told] of [
      ['ledger_conflict', 'ledger_conflict'],
      ['not_found', 'ledger_refused'],
    ] as const) {
      const error = new AppError(code);
      const queue = createSettlementQueue<Settlement>({
        commit: async () => {
          throw new RefusedItemError(error);
        },
        onSettled: () => {
          throw error;
        },
        clock: { now: () => 0, sleep: async () => undefined },
        logger: silentLogger,
      });
      expect((await errorOf(queue.write(grant)))?.code).toBe(told);
    }
  });
});

it('while nothing is to be written any more, items are refused at once, with the reason', async () => {
  let gone: AppError | undefined = new AppError('database_unavailable', { reason: 'gone' });
  const { queue, settled, logged } = openQueue(
    () => ({ done: true, balance: 5 }),
    () => gone,
  );
  expect(queue.isStalled()).toBe(true);
  expect(queue.unavailability()).toBe(gone);
  await expect(queue.write(grant)).rejects.toBe(gone);
  expect(settled).toEqual([[grant, undefined]]);
  expect(logged).toEqual([[{ reason: 'database_unavailable', settlement: grant }, lost]]);
  gone = undefined;
  expect(queue.isStalled()).toBe(false);
  const { code, params } = queue.unavailability();
  expect([code, params]).toEqual(['ledger_unavailable', {}]);
  expect(await queue.write(grant)).toEqual({ done: true, balance: 5 });
});

describe('while the database is unavailable', () => {
  it('the log says how many wait, and callers why', async () => {
    let failure: Error | undefined = new AppError('database_unavailable', { reason: 'full' });
    const { queue, logged, sleeps } = openQueue(() => {
      if (failure !== undefined) throw failure;
      return { done: true, balance: 5 };
    });
    const writes = [queue.write(grant)];
    await expect.poll(() => sleeps.length).toBe(1);
    writes.push(queue.write(grant), queue.write(grant));
    expect(logged).toEqual([
      [{ error: failure, waiting: 1 }, 'the ledger could not be written; trying again'],
    ]);
    expect(queue.waiting()).toBe(2);
    const { code, params, cause } = queue.unavailability();
    expect([code, params, cause]).toEqual([
      'ledger_unavailable',
      { reason: 'full', waiting: 3 },
      failure,
    ]);
    sleeps[0]?.resolve();
    await expect.poll(() => sleeps.length).toBe(2);
    expect(logged.at(-1)?.[0]).toEqual({ error: failure, waiting: 3 });
    failure = undefined;
    sleeps[1]?.resolve();
    await Promise.all(writes);
    expect([queue.waiting(), queue.isStalled()]).toEqual([0, false]);
  });

  it('the end of the process names what is given up, and what stays in the journal', async () => {
    const { queue, logged, sleeps } = openQueue(() => {
      throw new Error('full');
    });
    queue.add(charge);
    queue.add(charge);
    const written = errorOf(queue.write(grant));
    await expect.poll(() => sleeps.length).toBe(1);
    logged.length = 0;
    await queue.abandon();
    expect(await written).toEqual({ code: 'ledger_unavailable', params: {} });
    expect(logged).toEqual([
      [{ charges: 2 }, 'charges are left in the journal for the next start'],
      [
        { reason: 'the database was not available', settlement: grant },
        'a settlement was given up and is not in the ledger',
      ],
    ]);
    logged.length = 0;
    const idle = openQueue(() => ({ done: true, balance: 0 }));
    await idle.queue.abandon();
    expect(idle.logged).toEqual([]);
  });
});
