/** A gateway among others while its database or their Redis fails (docs/rules/process.md#nodes). */
import { afterEach, expect, test, vi } from 'vitest';
import type { SharedValues } from '../../../src/core/cluster/cluster.ts';
import { systemIds } from '../../../src/core/config/system-ids.ts';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { createNodesModule } from '../../../src/core/runtime/nodes.ts';
import type { Node, NodeRepository } from '../../../src/core/storage/storage.ts';

afterEach(() => void vi.useRealTimers());

const broken = async () => {
  throw new Error('away');
};

function open(nodes: Partial<NodeRepository>, signs: Partial<SharedValues<true>> = {}) {
  const values = { get: () => undefined, set: () => undefined, ...signs };
  return createNodesModule({
    nodes: { announce: broken, list: broken, remove: broken, prune: broken, ...nodes },
    cluster: { values: <T>() => values as unknown as SharedValues<T> },
    ...{ isAlone: false, host: 'here', dataDir: '/data', version: '1', startedAt: 1 },
    ...{ clock: systemClock, ids: systemIds, logger: silentLogger },
  });
}

test('it starts although it cannot be announced, and the job tries again', async () => {
  const announced: string[] = [];
  let isAway = true;
  const { services, jobs } = open({
    announce: async ({ address }) => {
      if (isAway) return broken();
      announced.push(address);
    },
    list: async () => [],
  });
  await services.begin('http://127.0.0.1:1');
  isAway = false;
  await jobs?.[0]?.run(new AbortController().signal);
  expect(announced).toEqual(['http://127.0.0.1:1']);
});

test('a Redis that is away is shared with nobody', async () => {
  const other: Node = {
    ...{ id: 'b', host: 'there', dataDir: '/data', address: 'http://127.0.0.1:2' },
    ...{ version: '1', startedAt: 1, seenAt: 2 },
  };
  const { services } = open(
    { announce: async () => undefined, list: async () => [other] },
    { get: broken, set: broken },
  );
  await services.begin('http://127.0.0.1:1');
  expect((await services.listSeparate()).map(({ host }) => host)).toEqual(['there']);
});

test('a database that never answers does not hold up the stop', async () => {
  vi.useFakeTimers();
  const { services, stop } = open({
    announce: async () => undefined,
    remove: () => new Promise(() => undefined),
  });
  await services.begin('http://127.0.0.1:1');
  const stopped = stop?.();
  await vi.advanceTimersByTimeAsync(2000);
  await expect(stopped).resolves.toBeUndefined();
});
