/**
 * Background responses of processes that share a database (docs/rules/responses.md#background).
 */
import { expect, test } from 'vitest';
import { createMemoryTopic } from '../../../../src/core/cluster/memory-cluster.ts';
import { AppError } from '../../../../src/core/kernel/errors.ts';
import { silentLogger } from '../../../../src/core/kernel/logger.ts';
import { lostResponse } from '../../../../src/core/relay/formats/openai-responses/background.ts';
import { BackgroundResponses } from '../../../../src/core/relay/stored-responses/background-responses.ts';
import { createResponseStore } from '../../../../src/core/relay/stored-responses/response-store.ts';
import type { ResponseKey, Storage } from '../../../../src/core/storage/storage.ts';
import { createMovingClock } from '../../../support/moving-clock.ts';
import { forEachEngineInTurn } from '../../../support/storage.ts';
import { withUsers } from '../../../support/users.ts';

const key = { userId: 1, responseId: 'resp_1' };
const begun = (more: object = {}) => ({
  ...key,
  conversation: '',
  previousId: '',
  model: 'm',
  input: 'Hi',
  response: { id: 'resp_1', object: 'response', status: 'queued', output: [] },
  streamed: true,
  ...more,
});
const unserved = { tokens: 0, channelId: 0, healthKey: '', itemIds: [] };

function setUp({ storedResponses, backgroundResponses }: Storage, isShared = true) {
  const clock = createMovingClock(1_700_000_000_000);
  const topic = createMemoryTopic<ResponseKey>();
  const responses = createResponseStore({
    repository: storedResponses,
    clock,
    logger: silentLogger,
    isShared,
    days: () => 30,
    mostBytes: () => 10_000,
  });
  const process = (owner: string) =>
    new BackgroundResponses({
      repository: backgroundResponses,
      responses,
      topic,
      clock,
      logger: silentLogger,
      owner,
      isShared,
      days: () => 30,
      most: () => 2,
      failLost: lostResponse,
    });
  return { clock, responses, process, one: process('one'), other: process('other') };
}

forEachEngineInTurn('background responses', (engine) => {
  test('are seen, read and cancelled from another process', async () => {
    const { one, other, responses } = setUp(await withUsers(await engine.open()));
    const run = await one.begin(begun());
    run.push('response.created', {});
    run.push('response.queued', {});
    await run.flush();
    expect(await other.find(key)).toMatchObject({ status: 'queued', lastNumber: 1 });
    const page = await other.events(key, 0);
    expect(page.ended).toBe(false);
    expect(page.events).toEqual([
      { number: 1, event: { type: 'response.queued', sequence_number: 1 } },
    ]);
    const stopped = new Promise<void>((resolve) => run.onAbort(resolve));
    await other.cancel(key);
    await stopped;
    await one.end(run, { ...unserved, response: { ...run.head, status: 'completed' } });
    expect((await responses.read(1, 'resp_1'))?.response['status']).toBe('cancelled');
    expect(await other.events(key, 1)).toMatchObject({ events: [], ended: true });
  });

  test('are worked on as long as their process says so, and have failed after it', async () => {
    const storage = await withUsers(await engine.open());
    const { one, other, clock, responses } = setUp(storage);
    const run = await one.begin(begun());
    run.push('response.created', {});
    await run.flush();
    await clock.moveMinutes(0.4);
    await one.renew();
    await clock.moveMinutes(0.4);
    expect((await other.find(key))?.status).toBe('queued');
    await clock.moveMinutes(0.4);
    await other.endLost(new AbortController().signal);
    const failed = { status: 'failed', error: { code: 'server_error' } };
    expect((await responses.read(1, 'resp_1'))?.response).toMatchObject(failed);
    expect((await other.events(key, 0)).events).toMatchObject([
      { event: { type: 'response.failed', response: failed } },
    ]);
    // Also for a client that has read events which were never written.
    expect((await other.events(key, 500)).events).toHaveLength(1);
    await one.end(run, { ...unserved, response: { ...run.head, status: 'completed' } });
    expect((await responses.read(1, 'resp_1'))?.response).toMatchObject(failed);
  });

  test('of an earlier process of a site with one have failed at once', async () => {
    const { one, process } = setUp(await withUsers(await engine.open()), false);
    await one.begin(begun());
    expect(await process('later').find(key)).toMatchObject({ status: 'failed', leaseUntil: 0 });
  });

  test('leave nothing when they are deleted, and their process learns of it', async () => {
    const storage = await withUsers(await engine.open());
    const { one, responses } = setUp(storage);
    const run = await one.begin(begun());
    run.push('response.created', {});
    await run.flush();
    expect(await responses.delete(1, 'resp_1')).toBe(true);
    const stopped = new Promise<void>((resolve) => run.onAbort(resolve));
    await one.renew();
    await stopped;
    run.push('response.queued', {});
    await run.flush();
    await one.end(run, { ...unserved, response: { ...run.head, status: 'completed' } });
    expect(await storage.backgroundResponses.find(key)).toBeNull();
    expect(await storage.backgroundResponses.listEvents(key, -1, 9)).toEqual([]);
    expect(await responses.find(1, 'resp_1')).toBeNull();
  });

  test('whose end the database did not take are stored with the next renewal', async () => {
    const storage = await withUsers(await engine.open());
    const { end } = storage.backgroundResponses;
    let ends = 0;
    const backgroundResponses = {
      ...storage.backgroundResponses,
      end: (...given: Parameters<typeof end>) => {
        ends += 1;
        return ends === 1 ? Promise.reject(new Error('gone')) : end(...given);
      },
    };
    const { one, responses } = setUp({ ...storage, backgroundResponses });
    const run = await one.begin(begun());
    await one.end(run, { ...unserved, response: { ...run.head, status: 'completed' } });
    expect((await one.find(key))?.status).toBe('queued');
    await one.renew();
    expect((await responses.read(1, 'resp_1'))?.response['status']).toBe('completed');
    expect((await one.events(key, -1)).events).toHaveLength(1);
  });

  test('take no room for what the database did not take', async () => {
    const storage = await withUsers(await engine.open());
    const { begin, addEvents } = storage.backgroundResponses;
    let isDown = true;
    const down = <T>(call: () => Promise<T>): Promise<T> =>
      isDown ? Promise.reject(new Error('gone')) : call();
    const { one } = setUp({
      ...storage,
      backgroundResponses: {
        ...storage.backgroundResponses,
        begin: (...given: Parameters<typeof begin>) => down(() => begin(...given)),
        addEvents: (...given: Parameters<typeof addEvents>) => down(() => addEvents(...given)),
      },
    });
    const large = begun({ input: 'x'.repeat(4000) });
    for (let times = 0; times < 3; times++) await expect(one.begin(large)).rejects.toThrow('gone');
    isDown = false;
    const run = await one.begin(large);
    isDown = true;
    run.push('response.created', { noise: Array.from({ length: 100 }, () => Math.random()) });
    for (let times = 0; times < 10; times++) await run.flush();
    isDown = false;
    await run.flush();
    await one.end(run, { ...unserved, response: { ...run.head, status: 'completed' } });
    expect((await one.events(key, -1)).events.map(({ event }) => event['type'])).toEqual([
      'response.created',
      'response.completed',
    ]);
  });

  test('are refused beyond a number, and without room; events end where there is none', async () => {
    const { one, other } = setUp(await withUsers(await engine.open()));
    await one.begin(begun());
    const run = await other.begin(begun({ responseId: 'resp_2' }));
    const codeOf = (begin: Promise<unknown>) =>
      begin.then(
        () => undefined,
        (error: unknown) => (error instanceof AppError ? error.code : error),
      );
    expect(await codeOf(one.begin(begun({ responseId: 'resp_3' })))).toBe('too_many_background');
    const large = begun({ userId: 2, input: 'x'.repeat(10_000) });
    expect(await codeOf(one.begin(large))).toBe('background_not_stored');
    const second = { userId: 1, responseId: 'resp_2' };
    run.push('response.created', { noise: Array.from({ length: 5000 }, () => Math.random()) });
    await run.flush();
    run.push('response.queued', {});
    await other.end(run, { ...unserved, response: { ...run.head, status: 'completed' } });
    const { events } = await one.events(second, -1);
    expect(events.map(({ event }) => event['type'])).toEqual(['response.completed']);
  });
});
