/** Postings that are owed: noted with a change, posted once, and kept as long as they are refused. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createDeferredPostings,
  type OwedPosting,
} from '../../../src/core/billing/deferred-postings.ts';
import { nowSeconds } from '../../../src/core/kernel/clock.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import type { Storage } from '../../../src/core/storage/storage.ts';
import { createLastingApp, type TestApp } from '../../support/app.ts';
import { logFor } from './ledger-support.ts';

let site: TestApp;
let serial = 0;
let userId: number;
let logged: string[];
/** What stands in for the ledger's reply. */
let failure: ((posting: OwedPosting) => Error | undefined) | undefined;
beforeAll(async () => {
  site = await createLastingApp();
});
afterAll(() => site.app.close());
/** A new user to whom nothing is owed. */
const begin = async () => {
  for (const left of await notes()) await site.app.storage.deferredPostings.remove(left);
  serial += 1;
  userId = await site.addUser(`user${serial}`);
  logged = [];
  failure = undefined;
};

const notes = () => site.app.storage.deferredPostings.list(9);
const deferred = (storage: Pick<Storage, 'deferredPostings'> = site.app.storage) =>
  createDeferredPostings({
    storage,
    ledger: {
      post: async (posting) => {
        const error = failure?.(posting as OwedPosting);
        if (error !== undefined) throw error;
        return site.app.ledger.post(posting);
      },
    },
    clock: site.clock,
    logger: { ...silentLogger, error: (_, message) => void logged.push(message) },
  });
const owed = (amount: number, more: Partial<OwedPosting> = {}): OwedPosting => ({
  userId,
  kind: 'transfer',
  amount: toQuota(amount),
  reference: `r${serial}:${amount}`,
  ...more,
});
const note = (posting: OwedPosting) => deferred().note(site.app.storage, posting);
const postings = async () =>
  (await site.operator.ledger.list({ user_id: userId })).items
    .map(({ amount }) => amount)
    .reverse();

describe('a posting that is owed', () => {
  test('is noted with all that it needs', async () => {
    await begin();
    await note(owed(5));
    expect(await notes()).toEqual([
      { ...owed(5), log: '', createdAt: nowSeconds(site.clock), id: expect.any(Number) },
    ]);
  });

  test('is posted with its log row, and owed no more', async () => {
    await begin();
    const log = logFor(userId, 'r', 0);
    await note(owed(5, { log }));
    await deferred().finish();
    expect(await postings()).toEqual([5]);
    expect(await notes()).toEqual([]);
    const { items } = await site.app.logs.page({ userId }, { offset: 0, limit: 5 });
    expect(items).toMatchObject([{ modelName: 'm', createdAt: log.createdAt }]);
  });

  test('is posted once, whether at once or by the job', async () => {
    await begin();
    const posting = owed(5);
    await note(posting);
    await deferred().post(posting);
    expect(await notes()).toEqual([]);
    await note(posting);
    await deferred().finish();
    expect(await postings()).toEqual([5]);
    expect(await notes()).toEqual([]);
    expect(logged).toEqual([]);
  });

  test('stays owed when it cannot be posted at once', async () => {
    await begin();
    failure = () => new Error('killed');
    await note(owed(5));
    await deferred().post(owed(5));
    expect(logged).toEqual(['a deferred posting could not be written yet']);
    expect(await notes()).toHaveLength(1);
  });
});

describe('the job', () => {
  test('keeps what the ledger refuses, and posts the others', async () => {
    await begin();
    failure = ({ amount }) => (amount === 5 ? new AppError('balance_limit') : undefined);
    await note(owed(5));
    await note(owed(6));
    await deferred().finish();
    expect(await postings()).toEqual([6]);
    expect(await notes()).toMatchObject([{ amount: 5 }]);
    expect(logged).toEqual(['a deferred posting could not be written']);
  });

  test('posts what stands behind more refused ones than it reads at once', async () => {
    await begin();
    failure = ({ amount }) => (amount === 6 ? undefined : new AppError('balance_limit'));
    const list = async (_: number, afterId = 0) =>
      Array.from({ length: afterId === 0 ? 1000 : 1 }, (_, index) => ({
        ...owed(afterId === 0 ? 5 : 6),
        kind: 'transfer' as const,
        log: '',
        createdAt: 0,
        id: afterId + index + 1,
      }));
    const { deferredPostings } = site.app.storage;
    await deferred({ deferredPostings: { ...deferredPostings, list } }).finish();
    expect(await postings()).toEqual([6]);
    expect(logged).toHaveLength(1000);
  });

  test('forgets what is owed to an account that is gone', async () => {
    await begin();
    await note(owed(5, { userId: 1e9 }));
    await deferred().finish();
    expect(await notes()).toEqual([]);
    expect(logged).toEqual([]);
  });

  test('fails with a fault of the program, and leaves the note', async () => {
    await begin();
    failure = () => new TypeError('a fault');
    await note(owed(5));
    await expect(deferred().finish()).rejects.toThrow('a fault');
    expect(await notes()).toHaveLength(1);
  });

  test('ends between two notes when it is stopped', async () => {
    await begin();
    const stop = new AbortController();
    failure = () => {
      stop.abort();
      return undefined;
    };
    await note(owed(5));
    await note(owed(6));
    await deferred().finish(stop.signal);
    expect(await postings()).toEqual([5]);
    expect(await notes()).toMatchObject([{ amount: 6 }]);
  });
});
