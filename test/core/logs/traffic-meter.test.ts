import { expect, test } from 'vitest';
import { createTrafficMeter, type TrafficEvent } from '../../../src/core/logs/traffic-meter.ts';
import { createTestClock } from '../../support/app.ts';

const event: TrafficEvent = {
  model: 'gpt-4o',
  durationMs: 200,
  status: 0,
  quota: 0,
  channelId: 1,
  ok: true,
  firstByteMs: 100,
  final: true,
  promptTokens: 10,
  completionTokens: 5,
  cachedTokens: 4,
};

test('the last minute, the last hour and the totals', () => {
  const clock = createTestClock();
  const meter = createTrafficMeter(clock);
  meter.record(event);
  clock.move(59_000);
  meter.record(event);
  expect(meter.snapshot()).toMatchObject({ rpm: 2, tpm: 30, promptTokens: 20, cachedTokens: 8 });
  clock.move(1_000);
  expect(meter.snapshot()).toMatchObject({ rpm: 1, tpm: 15 });
  expect(meter.snapshot().requestsByMinute.slice(-2)).toEqual([2, 0]);
  clock.move(59 * 60_000);
  expect(meter.snapshot().requestsByMinute).toEqual(Array.from({ length: 60 }, () => 0));
  meter.record(event);
  expect(meter.snapshot().requestsByMinute.at(-1)).toBe(1);
  expect(meter.snapshot()).toMatchObject({ rpm: 1 });
});

test('tokens, charges and failures of each minute of the last hour', () => {
  const clock = createTestClock();
  const meter = createTrafficMeter(clock);
  meter.record({ ...event, quota: 700 });
  meter.record({ ...event, ok: false, final: false });
  clock.move(60_000);
  meter.record({ ...event, ok: false, promptTokens: 0, completionTokens: 0 });
  const { tokensByMinute, quotaByMinute, failedByMinute } = meter.snapshot();
  expect(tokensByMinute.slice(-2)).toEqual([15, 0]);
  expect(quotaByMinute.slice(-2)).toEqual([700, 0]);
  expect(failedByMinute.slice(-2)).toEqual([0, 1]);
});

test('a retried attempt counts for its channel, not as a request', () => {
  const meter = createTrafficMeter(createTestClock());
  meter.record({ ...event, ok: false, final: false });
  meter.record({ ...event, channelId: 2 });
  const { rpm, channels } = meter.snapshot();
  expect(rpm).toBe(1);
  expect([channels.get(1)?.recent, channels.get(2)?.recent]).toEqual([[2], [0]]);
});

test('a channel keeps its last 20 attempts in order', () => {
  const meter = createTrafficMeter(createTestClock());
  for (let index = 0; index < 25; index += 1)
    meter.record({ ...event, firstByteMs: index < 23 ? 100 : 6000 });
  meter.record({ ...event, ok: false, firstByteMs: 0 });
  const lane = meter.snapshot().channels.get(1);
  expect(lane?.recent).toEqual([...Array.from({ length: 17 }, () => 0), 1, 1, 2]);
  expect(lane).toMatchObject({ requests: 26, responseTime: Math.round((17 * 100 + 12_000) / 19) });
});
