import { describe, expect, test } from 'vitest';
import { type ChannelTester, createChannelTests, type TestResult } from '../../../src/core/channels/channel-test.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { codeOf, createTestApp } from '../../support/app.ts';

async function setUp(results: (id: number) => TestResult, options: Record<string, string | boolean> = {}) {
  const { app, operator, root, clock } = await createTestApp();
  for (const [key, value] of Object.entries(options)) await operator.option.set({ key, value });
  const { ids } = await operator.channel.create({ name: 'c', type: 1, key: 'a\nb\nc', models: 'm' });
  const asked: number[] = [];
  const testChannel: ChannelTester = async (id) => {
    asked.push(id);
    return results(id);
  };
  const tests = createChannelTests({ ...app, testChannel, logger: silentLogger, pause: 0 });
  const runAll = async () => {
    await tests.startAll(root);
    await tests.finished();
  };
  const statuses = async () => (await app.storage.channels.listAll()).map(({ status }) => status);
  return { app, clock, root, ids, tests, asked, runAll, statuses };
}

const good: TestResult = { ok: true, message: '', milliseconds: 120.4 };
const bad: TestResult = { ok: false, message: 'invalid key', milliseconds: 50, disables: true };
const slow: TestResult = { ok: true, message: '', milliseconds: 5001 };
const off = { AutomaticDisableChannelEnabled: true };
const on = { AutomaticEnableChannelEnabled: true };

test('a test is recorded; an unknown channel is not found', async () => {
  const { app, root, tests, clock } = await setUp(() => good);
  expect(await tests.test(root, 1, '')).toEqual(good);
  expect(await app.channels.get(1)).toMatchObject({ responseTime: 120, testTime: clock.now() / 1000 });
  expect(await codeOf(tests.test(root, 99, ''))).toBe('not_found');
});

describe('a run over all', () => {
  test.each([
    ['bad ones go where the option says so', () => bad, off, [3, 3, 3]],
    ['slow ones too', () => slow, off, [3, 3, 3]],
    ['not without the option', () => bad, {}, [1, 1, 1]],
    ['not for a failure of another kind', () => ({ ...bad, disables: false }), off, [1, 1, 1]],
    ['slow is fine with the threshold off', () => slow, { ...off, ChannelDisableThreshold: '0' }, [1, 1, 1]],
  ] as const)('%s', async (_, results, options, expected) => {
    const { runAll, statuses, app } = await setUp(results, options);
    await runAll();
    expect(await statuses()).toEqual(expected);
    const info = JSON.parse((await app.channels.get(1)).otherInfo || '{}') as { status_reason?: string };
    if (expected[0] === 3) expect(info.status_reason).toMatch(/invalid key|5\.0 s > 5 s/);
  });

  test.each([
    ['good ones come back', good, on, 1],
    ['not without the option', good, {}, 3],
    ['not when slow', slow, on, 3],
  ] as const)('%s', async (_, result, options, expected) => {
    const { runAll, statuses, app, asked } = await setUp(() => result, options);
    await app.storage.channels.setStatus(1, 1, 3, { reason: 'r', time: 1 });
    await app.storage.channels.setStatus(2, 1, 2, { reason: '', time: 1 });
    await runAll();
    expect(await statuses()).toEqual([expected, 2, 1]);
    expect(asked).toEqual([1, 3]);
  });

  test('channels that opted out stay', async () => {
    const { runAll, statuses, app } = await setUp(() => bad, off);
    await app.storage.channels.update(1, { autoBan: false });
    await runAll();
    expect(await statuses()).toEqual([1, 3, 3]);
  });

  test('one run at a time, here and on other nodes', async () => {
    const { tests, root, app } = await setUp(() => good);
    await tests.startAll(root);
    expect(await codeOf(tests.startAll(root))).toBe('channel_test_running');
    await tests.finished();
    const now = app.clock.now() / 1000;
    await app.storage.locks.acquire('channel-test', 'another node', now, now + 60);
    expect(await codeOf(tests.startAll(root))).toBe('channel_test_running');
  });
});
