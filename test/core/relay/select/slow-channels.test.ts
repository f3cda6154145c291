import { expect, test } from 'vitest';
import { SlowChannels } from '../../../../src/core/relay/select/slow-channels.ts';
import type { UpstreamChannel } from '../../../../src/core/upstream/channel.ts';
import { createTestClock } from '../../../support/app.ts';

test('a channel is slow for five minutes, and no longer where the clock is set back', () => {
  const clock = createTestClock();
  const slow = new SlowChannels(clock);
  const channel = { healthKeys: ['a'] } as unknown as UpstreamChannel;
  const becomeSlow = () => {
    for (let turn = 0; turn < 2; turn++) slow.note(channel, 'm', true);
    expect(slow.isSlow(channel, 'm')).toBe(true);
  };
  becomeSlow();
  clock.move(5 * 60_000);
  expect(slow.isSlow(channel, 'm')).toBe(false);
  becomeSlow();
  clock.move(-86_400_000);
  expect(slow.isSlow(channel, 'm')).toBe(false);
});
