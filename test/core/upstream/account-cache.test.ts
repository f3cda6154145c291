/** The cache of access tokens that adapters share. */
import { expect, test } from 'vitest';
import { createEffects } from '../../../src/core/upstream/account.ts';
import { createUpstream } from '../../../src/core/upstream/send.ts';
import { createTestClock } from '../../support/app.ts';

test('entries that are over are removed once there are many, the others stay', () => {
  const clock = createTestClock();
  const { cache } = createEffects(createUpstream(), clock, undefined);
  cache.set('lasting', 'kept', 3600);
  for (let index = 0; index < 1000; index++) cache.set(`short ${index}`, 'x', 1);
  expect(cache.get('short 0')).toBe('x');
  clock.move(1000);
  cache.set('new', 'y', 3600);
  // Only an entry that was removed stays away when the clock is set back.
  clock.move(-1000);
  expect([cache.get('short 0'), cache.get('short 999')]).toEqual([undefined, undefined]);
  expect([cache.get('lasting'), cache.get('new')]).toEqual(['kept', 'y']);
});
