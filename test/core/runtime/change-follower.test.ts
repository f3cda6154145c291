/**
 * Memory and database agree again by themselves, whatever was lost between them
 * (docs/rules/process.md#reconciliation).
 */

import { describe, expect, test, vi } from 'vitest';
import { emptyEntry } from '../../../src/core/catalog/model-square.ts';
import type { ChangeKind } from '../../../src/core/cluster/changes.ts';
import { createMemoryCluster } from '../../../src/core/cluster/memory-cluster.ts';
import type { HealthEvent } from '../../../src/core/relay/select/health-events.ts';
import type { ModelSquareEntry } from '../../../src/core/storage/storage.ts';
import { createTestApp, type OpenApp, type TestApp, type TestClock } from '../../support/app.ts';

const channel = { name: 'c', type: 1, key: 'sk-upstream-1', models: 'gpt-4o' };
const entry: ModelSquareEntry = {
  ...emptyEntry,
  model: 'gpt-4o',
  icon: '',
};
const note = { reason: '', time: 0 };
const away = () => new Error('the database is away');

interface Scenario {
  readonly cache: string;
  readonly kind: ChangeKind;
  readonly setUp?: false;
  /**
   * Returns what the cache follows: a change past the services, as another process makes it, and
   * whether it is seen.
   */
  arrange(site: TestApp): Promise<{ change(): Promise<unknown>; isSeen(): Promise<boolean> }>;
  /** Makes the next reading of the cache fail. */
  failOnce(storage: OpenApp['storage']): void;
}

/** A token, and what the directory knows of its caller. */
async function knownToken({ as, app }: TestApp) {
  const { id, key } = await (await as(1)).token.create({ name: 't' });
  const caller = async () => app.tokens.directory.find(key);
  await caller();
  return { id, caller };
}

const scenarios: readonly Scenario[] = [
  {
    cache: 'options',
    kind: 'options',
    arrange: async ({ app }) => ({
      change: () => app.storage.options.set({ key: 'Footer', value: 'changed', hidden: false }),
      isSeen: async () => app.site.options.get('Footer') === 'changed',
    }),
    failOnce: ({ options }) => vi.spyOn(options, 'list').mockRejectedValueOnce(away()),
  },
  {
    cache: 'price list',
    kind: 'channels',
    arrange: async ({ app, operator }) => {
      await operator.channel.create(channel);
      await app.catalog.listPricing();
      return {
        change: () => app.storage.channels.setStatus(1, 1, 2, note),
        isSeen: async () => (await app.catalog.listPricing()).length === 0,
      };
    },
    failOnce: ({ abilities }) => vi.spyOn(abilities, 'listEnabled').mockRejectedValueOnce(away()),
  },
  {
    cache: 'model square',
    kind: 'models',
    arrange: async ({ app }) => {
      await app.storage.modelSquare.insert(entry);
      await app.catalog.square.entries({});
      return {
        change: () => app.storage.modelSquare.delete('gpt-4o'),
        isSeen: async () => (await app.catalog.square.entries({})).length === 0,
      };
    },
    failOnce: ({ modelSquare }) => vi.spyOn(modelSquare, 'list').mockRejectedValueOnce(away()),
  },
  {
    cache: 'token directory',
    kind: 'token',
    arrange: async (site) => {
      const { id, caller } = await knownToken(site);
      return {
        change: () => site.app.storage.tokens.setStatus(id, 1, 2),
        isSeen: async () => (await caller())?.tokenStatus === 2,
      };
    },
    failOnce: ({ tokens }) => vi.spyOn(tokens, 'findByKeyHash').mockRejectedValueOnce(away()),
  },
  {
    cache: 'token directory',
    kind: 'user',
    arrange: async (site) => {
      const { caller } = await knownToken(site);
      return {
        change: () => site.app.storage.users.setStatus(1, 1, 2),
        isSeen: async () => (await caller())?.userStatus === 2,
      };
    },
    failOnce: ({ users }) => vi.spyOn(users, 'find').mockRejectedValueOnce(away()),
  },
  {
    cache: 'routing index',
    kind: 'channels',
    arrange: async ({ app, operator }) => {
      const [id = 0] = (await operator.channel.create(channel)).ids;
      await operator.channel.create(channel);
      return {
        change: () => app.storage.channels.update(id, { name: 'changed' }),
        isSeen: async () => app.channels.routing.find(id)?.name === 'changed',
      };
    },
    failOnce: ({ channels }) => vi.spyOn(channels, 'findMany').mockRejectedValueOnce(away()),
  },
  {
    cache: 'budgets',
    kind: 'budgets',
    arrange: async ({ app, operator }) => {
      const budget = { owner: 'user', owner_id: '1', amount: 5, period: 'day' } as const;
      const { id } = await operator.budgets.create(budget);
      const spender = { userId: 1, tokenId: 0, group: 'default', userGroup: 'default' };
      return {
        change: () => app.storage.budgets.remove(id),
        isSeen: async () => (await app.budgets.gate.windowsOf(spender, 'gpt-4o')) === undefined,
      };
    },
    failOnce: ({ budgets }) => vi.spyOn(budgets, 'list').mockRejectedValueOnce(away()),
  },
  {
    cache: 'setup',
    kind: 'options',
    setUp: false,
    arrange: async ({ app }) => ({
      change: async () => {
        await app.storage.setups.insert({ version: '1', initializedAt: 1 });
        await app.storage.options.set({ key: 'SiteLanguage', value: 'en', hidden: false });
      },
      isSeen: async () => app.setup.isSetUp(),
    }),
    failOnce: ({ setups }) => vi.spyOn(setups, 'find').mockRejectedValueOnce(away()),
  },
  {
    cache: 'channel health',
    kind: 'channels',
    arrange: async ({ app, clock, operator }) => {
      const [id = 0] = (await operator.channel.create(channel)).ids;
      const times = { openedAt: clock.now(), readyAt: clock.now() + 60_000, pause: 60_000 };
      const [healthKey = ''] = app.channels.routing.find(id)?.healthKeys ?? [];
      app.cluster
        .topic<HealthEvent>('channel health')
        .publish({ kind: 'circuit_opened', healthKey, ...times, cause: '' });
      expect(app.relay.isCircuitOpen(id)).toBe(true);
      return {
        change: () => app.storage.channels.setStatus(id, 1, 2, note),
        // Of a channel that was switched off nothing is remembered.
        isSeen: async () => {
          await app.storage.channels.setStatus(id, 2, 1, note);
          await app.cluster.changes.announce('channels', id);
          return !app.relay.isCircuitOpen(id);
        },
      };
    },
    failOnce: ({ channels }) => vi.spyOn(channels, 'findMany').mockRejectedValueOnce(away()),
  },
];

/** A cache that reads when it is used fails for that use, and then no more. */
async function isSeenAtLast(isSeen: () => Promise<boolean>): Promise<boolean> {
  return isSeen().catch(isSeen);
}

/** Sleepers wake at once. */
function withoutWaiting(clock: TestClock): void {
  vi.spyOn(clock, 'sleep').mockImplementation(
    () => new Promise((resolve) => setImmediate(resolve)),
  );
}

test('every cache has a scenario here', async () => {
  const { app } = await createTestApp();
  expect(new Set(scenarios.map(({ cache }) => cache))).toEqual(
    new Set(app.caches.map(({ name }) => name)),
  );
  const followed = app.caches.flatMap(({ kinds }) => kinds);
  expect(new Set(followed)).toEqual(
    new Set<ChangeKind>(['options', 'channels', 'models', 'user', 'token', 'budgets']),
  );
});

describe.each(scenarios)(
  '$cache, after a change of kind $kind',
  ({ kind, setUp, arrange, failOnce }) => {
    const site = () => createTestApp({}, setUp ?? true);

    test('whose notice was lost', async () => {
      const opened = await site();
      const { change, isSeen } = await arrange(opened);
      await change();
      await opened.app.reconcile();
      expect(await isSeen()).toBe(true);
    });

    test('that could not be read when it was announced', async () => {
      const opened = await site();
      withoutWaiting(opened.clock);
      const { change, isSeen } = await arrange(opened);
      await change();
      failOnce(opened.app.storage);
      await opened.app.cluster.changes.announce(
        kind,
        kind === 'options' || kind === 'models' ? [] : 1,
      );
      await vi.waitFor(async () => expect(await isSeenAtLast(isSeen)).toBe(true));
    });

    test('that could neither be announced nor read', async () => {
      const opened = await site();
      const { change, isSeen } = await arrange(opened);
      await change();
      failOnce(opened.app.storage);
      vi.spyOn(opened.app.storage.rowChanges, 'since').mockRejectedValueOnce(away());
      await expect(opened.app.reconcile()).rejects.toThrow('away');
      await opened.app.reconcile().catch(() => opened.app.reconcile());
      expect(await isSeenAtLast(isSeen)).toBe(true);
    });
  },
);

describe('a channel that is switched off while its row cannot be read', () => {
  test('is out of the index when the call replies, and comes back once it can be read', async () => {
    const { app, operator, clock } = await createTestApp();
    withoutWaiting(clock);
    const [first = 0, second = 0] = (await operator.channel.create({ ...channel, key: 'a\nb' }))
      .ids;
    const reading = vi.spyOn(app.storage.channels, 'findMany').mockRejectedValue(away());
    const listing = vi.spyOn(app.storage.channels, 'listAllEnabled').mockRejectedValue(away());
    await app.channels.update(await app.setup.findOperator(''), first, {}, 2);
    expect(app.channels.routing.find(first)).toBeUndefined();
    expect(app.channels.routing.find(second)).toBeDefined();
    await app.channels.update(await app.setup.findOperator(''), second, { name: 'renamed' });
    expect(app.channels.routing.find(second)).toBeUndefined();
    reading.mockRestore();
    listing.mockRestore();
    await vi.waitFor(() => expect(app.channels.routing.find(second)?.name).toBe('renamed'));
    expect(app.channels.routing.find(first)).toBeUndefined();
  });

  test.each([
    ['its tag', (site: TestApp, tag: string) => site.operator.channel.disableTag({ tag })],
    [
      'a list of more than a hundred',
      async ({ operator }: TestApp, tag: string) => {
        const { items } = await operator.channel.list({ keyword: tag, page_size: 100 });
        const { ids } = await operator.channel.create({
          ...channel,
          key: Array.from({ length: 101 }, (_, n) => `k${n}`).join('\n'),
        });
        await operator.channel.setStatusMany({
          ids: [...items.map(({ id }) => id), ...ids],
          status: 2,
        });
      },
    ],
  ] as const)('by %s is out of it, too', async (_, disable) => {
    const site = await createTestApp();
    const { app, operator } = site;
    const [id = 0] = (await operator.channel.create({ ...channel, name: 'tagged', tag: 'tagged' }))
      .ids;
    const [other = 0] = (await operator.channel.create({ ...channel, name: 'other' })).ids;
    for (const method of ['findMany', 'listAllEnabled'] as const) {
      const read = app.storage.channels[method];
      // The index reads outside a transaction.
      vi.spyOn(app.storage.channels, method).mockImplementation((...args: never[]) =>
        app.channels.routing.find(id) === undefined
          ? (read as (...given: never[]) => never)(...args)
          : Promise.reject(away()),
      );
    }
    await disable(site, 'tagged');
    expect([app.channels.routing.find(id), app.channels.routing.find(other)?.id]).toEqual([
      undefined,
      other,
    ]);
  });
});

test('a failing cache does not keep the others from following', async () => {
  const { app } = await createTestApp();
  vi.spyOn(app.storage.options, 'list').mockRejectedValue(away());
  const others = app.caches.filter(
    ({ name, kinds }) => name !== 'options' && kinds.includes('options'),
  );
  const follows = others.map((cache) => vi.spyOn(cache, 'follow'));
  await app.storage.options.set({ key: 'Footer', value: 'x', hidden: false });
  await expect(app.reconcile()).rejects.toThrow('could not be read again');
  expect(follows.map(({ mock }) => mock.calls.length)).toEqual(others.map(() => 1));
});

test('an announcement that fails is applied all the same, and the call that made the change succeeds', async () => {
  const broken = (clock: TestClock) => {
    const cluster = createMemoryCluster(clock);
    return {
      ...cluster,
      changes: { ...cluster.changes, announce: () => Promise.reject(new Error('no network')) },
    };
  };
  const { app, operator } = await createTestApp({}, true, broken);
  const [id = 0] = (await operator.channel.create(channel)).ids;
  expect(app.channels.routing.find(id)).toBeDefined();
  await operator.channel.update({ id, status: 2 });
  expect(app.channels.routing.find(id)).toBeUndefined();
});

test('a process that did not read for half a day reads everything again', async () => {
  const { app, clock } = await createTestApp();
  await app.reconcile();
  const reading = vi.spyOn(app.storage.options, 'list');
  await app.reconcile();
  expect(reading).not.toHaveBeenCalled();
  clock.move(13 * 3_600_000);
  await app.reconcile();
  expect(reading).toHaveBeenCalledTimes(1);
  await app.reconcile();
  expect(reading).toHaveBeenCalledTimes(1);
});
