/** Health of channels over a restart (docs/rules/routing.md#stored-health). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createMemoryTopic } from '../../../../src/core/cluster/memory-cluster.ts';
import { loadConfig } from '../../../../src/core/config/load.ts';
import { createClient } from '../../../../src/core/contract/client.ts';
import { silentLogger } from '../../../../src/core/kernel/logger.ts';
import { Secret } from '../../../../src/core/kernel/secret.ts';
import { breakerRules } from '../../../../src/core/relay/select/breakers.ts';
import type {
  HealthCondition,
  HealthEvent,
} from '../../../../src/core/relay/select/health-events.ts';
import { createStoredHealth } from '../../../../src/core/relay/select/stored-health.ts';
import type { StoredChannelHealth } from '../../../../src/core/storage/storage.ts';
import { createLocalTransport } from '../../../../src/server/local-client.ts';
import { freshHome, type OpenApp, openApp, testPassword } from '../../../support/app.ts';
import { createMovingClock, type MovingClock } from '../../../support/moving-clock.ts';

const circuit: HealthCondition = {
  kind: 'circuit_opened',
  healthKey: '1.a',
  openedAt: 1,
  readyAt: 10_001,
  pause: 10_000,
  cause: '500 boom',
};
const coolDown: HealthCondition = {
  kind: 'cool_down_started',
  healthKey: '1.a',
  model: 'm',
  until: 7,
  requested: true,
};

function setUp(conditions: readonly HealthCondition[]) {
  const topic = createMemoryTopic<HealthEvent>();
  const writes: (readonly StoredChannelHealth[])[] = [];
  const restored: HealthCondition[] = [];
  const failures: Error[] = [];
  const stored = createStoredHealth({
    topic,
    health: { conditions: () => conditions, restore: (all) => void restored.push(...all) },
    repository: {
      list: async () => writes.at(-1) ?? [],
      replace: async (rows) => {
        const failure = failures.pop();
        if (failure !== undefined) throw failure;
        writes.push(rows);
      },
    },
  });
  return { topic, writes, restored, failures, stored };
}

test('is written when it changed, and reads back as it was', async () => {
  const { topic, writes, restored, stored } = setUp([circuit, coolDown]);
  await stored.save();
  expect(writes).toHaveLength(0);
  topic.publish(circuit);
  topic.publish(coolDown);
  await stored.save();
  await stored.save();
  expect(writes).toHaveLength(1);
  await stored.restore();
  expect(restored).toEqual([circuit, coolDown]);
});

test('is written again after a write that failed', async () => {
  const { topic, writes, failures, stored } = setUp([circuit]);
  topic.publish(circuit);
  failures.push(new Error('the disk is full'));
  await expect(stored.save()).rejects.toThrow('the disk is full');
  await stored.save();
  expect(writes).toHaveLength(1);
});

test('a cool-down for an endless model name is not written', async () => {
  const { topic, writes, stored } = setUp([{ ...coolDown, model: 'x'.repeat(257) }, coolDown]);
  topic.publish(coolDown);
  await stored.save();
  expect(writes[0]).toHaveLength(1);
});

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Opens a gateway on a database file, as a start of the process does. */
async function start(file: string, clock: MovingClock): Promise<OpenApp> {
  const { config } = loadConfig({ environment: {}, cwd: '/nonexistent', home: freshHome() });
  const folder = { cryptoSecret: new Secret('a master key that guards nothing') };
  const deps = { config, folder, logger: silentLogger, version: 'test', threads: false, clock };
  return openApp({ ...deps, databaseUrl: `sqlite:${file}` });
}

function newDatabase(): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-health-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'test.db');
}

/** Adds a channel and opens its circuit. Returns its id. */
async function openCircuit(app: OpenApp, clock: MovingClock): Promise<number> {
  const operator = createClient(createLocalTransport(app, undefined, 'en'));
  await operator.system.setup({
    username: 'root',
    password: testPassword,
    confirmPassword: testPassword,
  });
  const fields = {
    name: 'one',
    type: 1,
    key: 'k',
    base_url: 'http://127.0.0.1:1',
    models: 'gpt-4o',
  };
  const [id = 0] = (await operator.channel.create(fields)).ids;
  const healthKey = app.channels.routing.find(id)?.healthKeys[0] ?? '';
  const now = clock.now();
  const pause = breakerRules.firstPause;
  const topic = app.cluster.topic<HealthEvent>('channel health');
  topic.publish({
    kind: 'circuit_opened',
    healthKey,
    openedAt: now,
    readyAt: now + pause,
    pause,
    cause: '500 boom',
  });
  return id;
}

test('survives a stop', async () => {
  const clock = createMovingClock(Date.UTC(2026, 10, 20, 12));
  const file = newDatabase();
  const before = await start(file, clock);
  const id = await openCircuit(before, clock);
  const known = before.relay.channelHealth(id);
  expect(known.circuit).toMatchObject({
    cause: '500 boom',
    retryIn: breakerRules.firstPause / 1000,
  });
  await before.close();
  const after = await start(file, clock);
  closers.push(() => after.close());
  expect(after.relay.channelHealth(id)).toEqual(known);
});

test('survives a crash a few seconds later; a channel whose address was changed starts afresh', async () => {
  const clock = createMovingClock(Date.UTC(2026, 10, 20, 12));
  const file = newDatabase();
  const crashed = await start(file, clock);
  closers.push(() => crashed.close());
  crashed.jobs.start();
  const id = await openCircuit(crashed, clock);
  await clock.moveMinutes(0.1);
  await expect.poll(() => crashed.storage.channelHealth.list()).toHaveLength(1);
  const after = await start(file, clock);
  expect(after.relay.isCircuitOpen(id)).toBe(true);
  const operator = createClient(createLocalTransport(after, undefined, 'en'));
  await operator.channel.update({ id, base_url: 'http://127.0.0.1:2' });
  expect(after.relay.isCircuitOpen(id)).toBe(false);
  await after.close();
  const last = await start(file, clock);
  closers.push(() => last.close());
  expect(last.relay.isCircuitOpen(id)).toBe(false);
});
