/**
 * The port for shared state as several processes with a network between them have it: every call
 * takes a while, data is copied as JSON, and what one process publishes reaches the others later.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Changes, listIds } from '../../src/core/cluster/changes.ts';
import type { Cluster, Topic } from '../../src/core/cluster/cluster.ts';
import { createMemoryCluster, createMemoryTopic } from '../../src/core/cluster/memory-cluster.ts';
import type { Clock } from '../../src/core/kernel/clock.ts';

export interface SharedStore {
  /** The port of one more process. */
  join(): Cluster;
  /** Resolves when all calls so far have ended, and what was published has reached all processes. */
  settled(): Promise<void>;
}

interface Member {
  readonly listeners: Set<Parameters<Changes['listen']>[0]>;
  readonly topics: Map<string, Topic<unknown>>;
}

/** Milliseconds of every call. */
const delay = 2;

export function createSharedStore(clock: Pick<Clock, 'now'>): SharedStore {
  const store = createMemoryCluster(clock);
  const members: Member[] = [];
  let delivered: Promise<unknown> = Promise.resolve();
  const underWay = new Set<Promise<unknown>>();

  /** The same methods, each a while later and with copies of its arguments and its result. */
  function slow<Methods extends object>(methods: Methods): Methods {
    const entries = Object.entries(methods) as [string, (...args: unknown[]) => unknown][];
    const callLate = async (method: (...args: unknown[]) => unknown, args: unknown[]) => {
      await sleep(delay);
      return copyOf(await method(...args));
    };
    return Object.fromEntries(
      entries.map(([name, method]) => [
        name,
        (...args: unknown[]) => {
          const call = callLate(method, args.map(copyOf));
          underWay.add(call);
          void call.finally(() => underWay.delete(call)).catch(() => {}); // its caller's to report
          return call;
        },
      ]),
    ) as Methods;
  }

  return {
    settled: async () => {
      await Promise.allSettled(underWay);
      await delivered;
    },
    join: () => {
      const own: Member = { listeners: new Set(), topics: new Map() };
      members.push(own);
      return {
        leases: slow(store.leases),
        counter: (name) => slow(store.counter(name)),
        slidingLog: (name) => slow(store.slidingLog(name)),
        rates: (name) => slow(store.rates(name)),
        values: (name, limit) => slow(store.values(name, limit)),
        changes: {
          listen: (listener) => {
            own.listeners.add(listener);
            return () => own.listeners.delete(listener);
          },
          announce: async (kind, ids) => {
            await sleep(delay);
            const listeners = members.flatMap((member) => [...member.listeners]);
            await Promise.all(listeners.map((listener) => listener({ kind, ids: listIds(ids) })));
          },
        },
        topic: <T>(name: string): Topic<T> => {
          const local = (own.topics.get(name) as Topic<T> | undefined) ?? createMemoryTopic<T>();
          own.topics.set(name, local as Topic<unknown>);
          return {
            subscribe: local.subscribe,
            publish: (message: T) => {
              local.publish(message);
              const copy = copyOf(message);
              delivered = delivered.then(async () => {
                await sleep(delay);
                for (const { topics } of members)
                  if (topics !== own.topics) topics.get(name)?.publish(copy);
              });
            },
          };
        },
      };
    },
  };
}

function copyOf<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}
