/**
 * What processes report to each other about channels, and how they apply it
 * (docs/rules/routing.md#shared-health).
 */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Topic } from '../../../../src/core/cluster/cluster.ts';
import { createMemoryTopic } from '../../../../src/core/cluster/memory-cluster.ts';
import { breakerRules } from '../../../../src/core/relay/select/breakers.ts';
import { Health } from '../../../../src/core/relay/select/health.ts';
import type { HealthEvent } from '../../../../src/core/relay/select/health-events.ts';
import type { UpstreamChannel } from '../../../../src/core/upstream/channel.ts';
import { createTestClock, type TestClock } from '../../../support/app.ts';
import { createSharedStore, type SharedStore } from '../../../support/shared-store.ts';

const { inRow, firstPause, longestPause, memory } = breakerRules;
const channel = { id: 1, healthKeys: ['1.a'] } as unknown as UpstreamChannel;
const fault = { own: true, coolDown: undefined } as const;
const limited = (coolDown: number | 'unnamed') => ({ own: false, coolDown });

let clock: TestClock;
beforeEach(() => {
  clock = createTestClock();
});

const fail = (health: Health, times: number = inRow) => {
  for (let time = 0; time < times; time++) health.failed(channel, 'm', fault, [], 'boom');
};
const stateOf = (health: Health) => health.state(channel).state;

describe('one process', () => {
  let topic: Topic<HealthEvent>;
  let published: string[];
  let health: Health;
  beforeEach(() => {
    topic = createMemoryTopic<HealthEvent>();
    published = [];
    topic.subscribe(({ kind }) => void published.push(kind));
    health = new Health(clock, topic);
  });

  test('publishes nothing for requests that succeed, nor for failures that open nothing', () => {
    health.succeeded(channel, 'm', clock.now());
    fail(health, inRow - 1);
    health.succeeded(channel, 'm', clock.now());
    fail(health, inRow - 1);
    expect([published, stateOf(health)]).toEqual([[], 'closed']);
  });

  test('publishes each change once', () => {
    fail(health, inRow + 3);
    clock.move(firstPause);
    health.succeeded(channel, 'm', clock.now());
    health.succeeded(channel, 'm', clock.now());
    health.failed(channel, 'm', limited('unnamed'), [], '');
    health.succeeded(channel, 'm', clock.now());
    health.succeeded(channel, 'm', clock.now());
    expect(published).toEqual([
      'circuit_opened',
      'circuit_closed',
      'cool_down_started',
      'cool_down_ended',
    ]);
    expect(health.unavailability(channel, 'm')).toBeUndefined();
  });

  test('restores its conditions without publishing them; expired ones are left out', () => {
    fail(health);
    health.failed(channel, 'm', limited(30), [], '429');
    health.failed(channel, 'other', limited(3), [], '429');
    const conditions = health.conditions();
    const restored = (after: number) => {
      clock.move(after);
      const other = new Health(clock, createMemoryTopic<HealthEvent>());
      other.restore(conditions);
      return { health: other, coolDowns: other.coolDowns(channel).map(({ model }) => model) };
    };
    published = [];
    const soon = restored(3000);
    expect(soon.health.circuit(channel)).toMatchObject({
      state: 'open',
      cause: 'boom',
      readyAt: clock.now() + firstPause - 3000,
    });
    expect([soon.coolDowns, published]).toEqual([['m'], []]);
    // Its pause is over: one request probes it, and a failure doubles the pause.
    const later = restored(firstPause);
    expect(stateOf(later.health)).toBe('half_open');
    later.health.failed(channel, 'm', fault, later.health.startProbes(channel), 'again');
    expect(later.health.circuit(channel)).toMatchObject({
      readyAt: clock.now() + 2 * firstPause,
      cause: 'again',
    });
    const muchLater = restored(memory);
    expect([muchLater.health.isClear, muchLater.health.conditions()]).toEqual([true, []]);
  });

  test('restores nothing that seems longer than it can be', () => {
    fail(health);
    health.failed(channel, 'm', limited(30), [], '429');
    const conditions = health.conditions();
    clock.move(-3_600_000);
    const restored = new Health(clock, createMemoryTopic<HealthEvent>());
    restored.restore(conditions);
    expect([restored.unavailability(channel, 'm'), restored.coolDowns(channel)]).toEqual([
      undefined,
      [],
    ]);
  });
});

describe('two processes', () => {
  let store: SharedStore;
  let a: Health;
  let b: Health;
  let topics: readonly Topic<HealthEvent>[];
  beforeEach(() => {
    store = createSharedStore(clock);
    topics = [store.join(), store.join()].map((cluster) => cluster.topic<HealthEvent>('health'));
    [a, b] = topics.map((topic) => new Health(clock, topic)) as [Health, Health];
  });

  test('count failures each for itself, and share the circuit that opens', async () => {
    fail(a, inRow - 1);
    fail(b, inRow - 1);
    await store.settled();
    expect([stateOf(a), stateOf(b)]).toEqual(['closed', 'closed']);
    fail(a, 1);
    expect([stateOf(a), stateOf(b)]).toEqual(['open', 'closed']);
    await store.settled();
    expect(b.circuit(channel)).toEqual(a.circuit(channel));
    expect([a.isClear, b.isClear]).toEqual([false, false]);
  });

  test('have the same circuit when both opened it at once', async () => {
    fail(a);
    clock.move(5);
    fail(b);
    await store.settled();
    expect(a.circuit(channel)).toEqual(b.circuit(channel));
  });

  test('double the pause once when the probes of both fail', async () => {
    fail(a);
    await store.settled();
    clock.move(firstPause);
    const probes = [a.startProbes(channel), b.startProbes(channel)];
    expect(probes).toEqual([['1.a'], ['1.a']]);
    a.failed(channel, 'm', fault, probes[0] ?? [], 'first');
    await store.settled();
    b.failed(channel, 'm', fault, probes[1] ?? [], 'second');
    await store.settled();
    for (const health of [a, b]) {
      expect(health.circuit(channel)).toMatchObject({
        readyAt: clock.now() + 2 * firstPause,
        probing: false,
        cause: 'first',
      });
    }
  });

  test('close together, but not for a request that began before the circuit opened', async () => {
    const before = clock.now() - 1;
    fail(a);
    await store.settled();
    b.succeeded(channel, 'm', before);
    await store.settled();
    expect([stateOf(a), stateOf(b)]).toEqual(['open', 'open']);
    b.succeeded(channel, 'm', clock.now());
    await store.settled();
    expect([stateOf(a), stateOf(b)]).toEqual(['closed', 'closed']);
  });

  test('a late message that a circuit opened does not shorten its pause', async () => {
    fail(a);
    const [opened] = a.conditions();
    await store.settled();
    clock.move(firstPause);
    a.failed(channel, 'm', fault, a.startProbes(channel), 'again');
    const readyAt = clock.now() + 2 * firstPause;
    if (opened !== undefined) topics[1]?.publish(opened);
    await store.settled();
    expect([a.state(channel).readyAt, b.state(channel).readyAt]).toEqual([readyAt, readyAt]);
    clock.move(longestPause);
    if (opened !== undefined) topics[1]?.publish(opened);
    expect(b.state(channel)).toMatchObject({ state: 'half_open', readyAt });
  });

  test('share cool-downs; a success in one ends a guess in both, not what the upstream requested', async () => {
    a.failed(channel, 'm', limited('unnamed'), [], '429');
    a.failed(channel, 'n', limited(20), [], '429');
    await store.settled();
    expect(b.unavailability(channel, 'm')).toMatchObject({ kind: 'cool_down', binding: false });
    expect(b.unavailability(channel, 'n')).toMatchObject({ kind: 'cool_down', binding: true });
    for (const model of ['m', 'n']) b.succeeded(channel, model, clock.now());
    await store.settled();
    expect([a.unavailability(channel, 'm'), a.unavailability(channel, 'n')?.binding]).toEqual([
      undefined,
      true,
    ]);
  });

  test('a test that succeeds closes the circuit and ends the count in both', async () => {
    fail(b, inRow - 1);
    a.recovered(channel);
    await store.settled();
    fail(b, 1);
    expect(stateOf(b)).toBe('closed');
  });
});
