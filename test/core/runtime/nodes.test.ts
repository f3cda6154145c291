/** A gateway among others while its database or their Redis fails (docs/rules/process.md#nodes). */
import { afterEach, expect, test, vi } from 'vitest';
import type { SharedValues } from '../../../src/core/cluster/cluster.ts';
import { createMemoryCluster } from '../../../src/core/cluster/memory-cluster.ts';
import { systemIds } from '../../../src/core/config/system-ids.ts';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import type { Load } from '../../../src/core/runtime/draining.ts';
import { createNodesModule, type NodesDeps } from '../../../src/core/runtime/nodes.ts';
import type { Node, NodeRepository } from '../../../src/core/storage/storage.ts';

afterEach(() => void vi.useRealTimers());

const cluster = createMemoryCluster(systemClock);

const broken = async () => {
  throw new Error('away');
};

const idle: Load = { requests: 0, jobs: 0, lastRequestAt: 0 };

function open(
  nodes: Partial<NodeRepository>,
  signs: Partial<SharedValues<true>> = {},
  more: Partial<NodesDeps> = {},
) {
  const values = { get: () => undefined, set: () => undefined, ...signs };
  return createNodesModule({
    nodes: {
      announce: broken,
      setWish: broken,
      list: broken,
      remove: broken,
      prune: broken,
      ...nodes,
    },
    cluster: { ...cluster, values: <T>() => values as unknown as SharedValues<T> },
    load: () => idle,
    onLeaving: () => undefined,
    isAlone: false,
    host: 'here',
    dataDir: '/data',
    version: '1',
    startedAt: 1,
    clock: systemClock,
    ids: systemIds,
    logger: silentLogger,
    ...more,
  });
}

test('it starts although it cannot be announced, and the job tries again', async () => {
  const announced: string[] = [];
  let isAway = true;
  const { services, jobs } = open({
    announce: async ({ address }) => {
      if (isAway) return broken();
      announced.push(address);
      return '';
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
    id: 'b',
    host: 'there',
    dataDir: '/data',
    address: 'http://127.0.0.1:2',
    version: '1',
    startedAt: 1,
    seenAt: 2,
    wish: '',
    state: '',
    underWay: 0,
  };
  const { services } = open(
    { announce: async () => '', list: async () => [other] },
    { get: broken, set: broken },
  );
  await services.begin('http://127.0.0.1:1');
  expect((await services.listSeparate()).map(({ host }) => host)).toEqual(['there']);
});

test('a database that never answers does not hold up the stop', async () => {
  vi.useFakeTimers();
  const { services, stop } = open({
    announce: async () => '',
    remove: () => new Promise(() => undefined),
  });
  await services.begin('http://127.0.0.1:1');
  const stopped = stop?.();
  await vi.advanceTimersByTimeAsync(2000);
  await expect(stopped).resolves.toBeUndefined();
});

test('it does what its row says when a message to it is lost, and not what an older reply says', async () => {
  const replies: ((wish: Node['wish']) => void)[] = [];
  const leaving: boolean[] = [];
  const { services, jobs, stop } = open(
    {
      announce: () => new Promise((resolve) => replies.push(resolve)),
      list: async () => [],
      remove: async () => undefined,
    },
    {},
    { onLeaving: (isLeaving) => void leaving.push(isLeaving) },
  );
  const begun = services.begin('http://127.0.0.1:1');
  await vi.waitFor(() => expect(replies).toHaveLength(1));
  const later = jobs?.[0]?.run(new AbortController().signal);
  await vi.waitFor(() => expect(replies).toHaveLength(2));
  replies[1]?.('drain');
  await later;
  expect(services.isLeaving()).toBe(true);
  replies[0]?.('');
  await begun;
  expect(services.isLeaving()).toBe(true);
  // While it leaves it looks again by itself.
  await vi.waitFor(() => expect(replies).toHaveLength(3));
  replies[2]?.('');
  await vi.waitFor(() => expect(services.isLeaving()).toBe(false));
  expect(leaving).toEqual([true, false]);
  await stop?.();
});

test('the only gateway of a data folder follows without a row', async () => {
  const { services, stop } = open({}, {}, { isAlone: true });
  await services.begin('http://127.0.0.1:1');
  const [own] = await services.list();
  expect(own).toMatchObject({ state: 'serving', wish: '' });
  await services.notify(['another'], 'drain');
  expect(services.isLeaving()).toBe(false);
  await services.notify([own?.id ?? ''], 'drain');
  expect(await services.list()).toMatchObject([{ state: 'draining', wish: 'drain' }]);
  await services.notify([own?.id ?? ''], '');
  expect(await services.list()).toMatchObject([{ state: 'serving', wish: '' }]);
  await stop?.();
});
