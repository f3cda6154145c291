/**
 * Two processes of one gateway: what one learns of a channel, the other knows
 * (docs/rules/routing.md#shared-health).
 */
import { expect, test } from 'vitest';
import { breakerRules } from '../../../../src/core/relay/select/breakers.ts';
import { openBeside } from '../../../support/app.ts';
import { createSharedStore, type SharedStore } from '../../../support/shared-store.ts';
import { errorReply } from '../../../support/upstream.ts';
import { fine, startRelay, upstream } from './relay-support.ts';

const broken = errorReply(500, { message: 'boom', type: 'server_error' });

/** Two processes, `a` and `b`, and as many channels, the first preferred unless `equal`. */
async function twoProcesses(channels: number, equal = false) {
  let shared: SharedStore | undefined;
  const a = await startRelay({ RetryTimes: 1 }, {}, (clock) => {
    shared = createSharedStore(clock);
    return shared.join();
  });
  if (shared === undefined) throw new Error('the store was not made');
  const store: SharedStore = shared;
  const app = await openBeside(a.app, store.join());
  const upstreams = await Promise.all(Array.from({ length: channels }, () => upstream()));
  const ids: number[] = [];
  for (const [index, to] of upstreams.entries())
    ids.push(await a.addChannel(to, { priority: equal ? 0 : 10 - index }));
  const [first, second] = upstreams;
  if (first === undefined || second === undefined) throw new Error('two channels at least');
  return {
    a,
    b: { ...(await a.serve(app)), app },
    store,
    upstreams,
    first,
    second,
    ids,
    id: ids[0] ?? 0,
  };
}

test('a circuit that opens in one process keeps the requests of the other away, and either may close it', async () => {
  const { a, b, store, first, second, id } = await twoProcesses(2);
  first.answer(broken);
  for (let index = 0; index < breakerRules.inRow; index++)
    expect((await a.chat()).status).toBe(200);
  await store.settled();
  expect(b.app.relay.channelHealth(id).circuit).toMatchObject({
    cause: '500 boom',
    retryIn: breakerRules.firstPause / 1000,
  });
  expect((await b.chat()).status).toBe(200);
  expect([first.requests.length, second.requests.length]).toEqual([
    breakerRules.inRow,
    breakerRules.inRow + 1,
  ]);

  // The probe of b fails: the pause is twice as long in both.
  a.clock.move(breakerRules.firstPause);
  await b.chat();
  await store.settled();
  expect(a.app.relay.channelHealth(id).circuit?.retryIn).toBe((2 * breakerRules.firstPause) / 1000);

  a.clock.move(2 * breakerRules.firstPause);
  first.answer(fine);
  expect((await b.chat()).status).toBe(200);
  await store.settled();
  expect([a.app.relay.isCircuitOpen(id), b.app.relay.isCircuitOpen(id)]).toEqual([false, false]);
});

test('a channel test that succeeds in one process closes the circuit in the other', async () => {
  const { a, b, store, first, id } = await twoProcesses(2);
  first.answer(broken);
  for (let index = 0; index < breakerRules.inRow; index++) await a.chat();
  await store.settled();
  expect(b.app.relay.isCircuitOpen(id)).toBe(true);
  first.answer(fine);
  expect((await a.operator.channel.test({ id })).success).toBe(true);
  await store.settled();
  expect(b.app.relay.isCircuitOpen(id)).toBe(false);
});

test('a requested cool-down binds both processes', async () => {
  const { a, b, store, first, second } = await twoProcesses(2);
  first.answer(errorReply(429, { message: 'slow down' }, { 'retry-after': '20' }));
  second.answer(errorReply(429, { message: 'slow down' }, { 'retry-after': '30' }));
  expect((await a.chat()).status).toBe(429);
  await store.settled();
  const refused = await b.chat();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '20']);
  expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
});

test('a conversation keeps its channel whichever process serves it', async () => {
  const { a, b, store, upstreams } = await twoProcesses(4, true);
  await a.chat({ prompt_cache_key: 'a' });
  await store.settled();
  for (let index = 0; index < 6; index++) {
    await b.chat({ prompt_cache_key: 'a' });
    await a.chat({ prompt_cache_key: 'a' });
  }
  expect(
    upstreams.map(({ requests }) => requests.length).sort((one, other) => other - one),
  ).toEqual([13, 0, 0, 0]);
  expect(await a.route()).toMatchObject([{ reason: 'affinity' }]);
});

test('a fault of the account that both processes saw once disables the channel in both', async () => {
  const { a, b, store, first, id } = await twoProcesses(2);
  await a.operator.option.set({ key: 'AutomaticDisableChannelEnabled', value: true });
  first.answer(errorReply(401, { message: 'Incorrect API key provided', code: 'invalid_api_key' }));
  expect((await a.chat()).status).toBe(200);
  await store.settled();
  expect((await a.operator.channel.get({ id })).status).toBe(1);
  expect((await b.chat()).status).toBe(200);
  await expect.poll(async () => (await a.operator.channel.get({ id })).status).toBe(3);
  await expect
    .poll(() => [a, b].map(({ app }) => app.channels.routing.find(id)?.id))
    .toEqual([undefined, undefined]);
});

test('a process that starts later knows what is stored', async () => {
  const { a, store, id } = await twoProcesses(2);
  const now = a.clock.now();
  const healthKey = a.app.channels.routing.find(id)?.healthKeys[0] ?? '';
  const pause = breakerRules.firstPause;
  await a.app.storage.channelHealth.replace([
    {
      healthKey,
      kind: 'circuit',
      model: '',
      since: now,
      until: now + pause,
      pause,
      requested: false,
      cause: '500 boom',
    },
  ]);
  const late = await openBeside(a.app, store.join());
  expect(late.relay.channelHealth(id).circuit).toMatchObject({ cause: '500 boom', retryIn: 10 });
});

test('options that one process changes are in effect in the other, also when both change some at once', async () => {
  const { a, b } = await twoProcesses(2);
  const actor = a.root;
  await Promise.all([
    a.app.site.options.set(actor, 'RetryTimes', 3),
    b.app.site.options.set(actor, 'channel_affinity_setting.max_entries', 5),
    a.app.site.options.set(actor, 'QuotaPerUnit', 1000),
  ]);
  for (const { app } of [a, b]) {
    expect(app.site.options.get('RetryTimes')).toBe(3);
    expect(app.site.options.get('channel_affinity_setting.max_entries')).toBe(5);
    expect(app.site.options.get('QuotaPerUnit')).toBe(1000);
    expect(app.relay.policy()).toMatchObject({ retryTimes: 3, affinity: { most: 5 } });
  }
});
