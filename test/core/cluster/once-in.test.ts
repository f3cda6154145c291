import { expect, it } from 'vitest';
import { createMemoryCluster } from '../../../src/core/cluster/memory-cluster.ts';
import { onceIn } from '../../../src/core/cluster/once-in.ts';
import { createTestClock } from '../../support/app.ts';

it('is done once in its period; what fails or breaks off is done again', async () => {
  const clock = createTestClock();
  const { leases } = createMemoryCluster(clock);
  let done = 0;
  let calls = 0;
  const call = (work: () => Promise<void>) => {
    calls += 1;
    const of = { leases, name: 'work', owner: `owner ${calls}`, period: 1000, longest: 100 };
    return onceIn(of, work);
  };
  const succeed = async () => {
    done += 1;
  };
  await expect(call(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
  await call(succeed);
  await call(succeed);
  expect(done).toBe(1);
  clock.move(1001);
  // Its process dies.
  void call(() => new Promise(() => undefined));
  await call(succeed);
  expect(done).toBe(1);
  clock.move(101);
  await call(succeed);
  expect(done).toBe(2);
});
