import { expect, it } from 'vitest';
import { createMemoryCluster } from '../../../src/core/cluster/memory-cluster.ts';
import { createTestClock } from '../../support/app.ts';

it('a window that seems longer than it can be is over: the clock was set back', async () => {
  const clock = createTestClock();
  const counter = createMemoryCluster(clock).counter('attempts');
  const minute = 60_000;
  expect(await counter.increment('a', minute)).toMatchObject({ count: 1 });
  expect(await counter.increment('a', minute)).toMatchObject({ count: 2 });
  await counter.extend('a', 10 * minute);
  clock.move(-5000);
  expect(await counter.increment('a', minute)).toEqual({ count: 1, remainingMs: minute });
  clock.move(-3_600_000);
  expect(await counter.increment('a', minute)).toMatchObject({ count: 1 });
});
