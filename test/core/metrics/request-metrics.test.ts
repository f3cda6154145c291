import { expect, it } from 'vitest';
import type { TrafficEvent, TrafficMeter } from '../../../src/core/logs/traffic-meter.ts';
import { Exposition } from '../../../src/core/metrics/exposition.ts';
import { Histogram } from '../../../src/core/metrics/histogram.ts';
import { createRequestMetrics, otherModels } from '../../../src/core/metrics/request-metrics.ts';

const served: TrafficEvent = {
  channelId: 7,
  model: 'gpt-4o',
  ok: true,
  final: true,
  status: 0,
  firstByteMs: 300,
  durationMs: 1500,
  promptTokens: 10,
  completionTokens: 5,
  cachedTokens: 4,
  quota: 99,
};
const ignored: TrafficMeter = {
  record: () => {},
  snapshot: () => {
    throw new Error('not asked for');
  },
};

it('counts attempts by channel and model, failures by status', () => {
  const metrics = createRequestMetrics();
  const meter = metrics.watchTraffic(ignored);
  meter.record(served);
  meter.record({ ...served, ok: false });
  meter.record({ ...served, ok: false, firstByteMs: 0, status: 503 });
  meter.record({ ...served, channelId: 8 });
  const [first, second] = metrics.series();
  expect(first).toMatchObject({
    channelId: 7,
    model: 'gpt-4o',
    ok: 1,
    cut: 1,
    failed: 1,
    promptTokens: 20,
    quota: 198,
  });
  expect([...(first?.failedByStatus ?? [])]).toEqual([[503, 1]]);
  expect(first?.duration.read()).toMatchObject({ count: 2, sum: 3 });
  expect(second).toMatchObject({ channelId: 8, ok: 1 });
});

it('a thousand models are told apart; whatever comes later is counted together', () => {
  const metrics = createRequestMetrics();
  const meter = metrics.watchTraffic(ignored);
  for (let index = 0; index < 5000; index += 1)
    meter.record({ ...served, model: `model-${index}` });
  const series = metrics.series();
  expect(series).toHaveLength(1001);
  expect(series.find(({ model }) => model === otherModels)?.ok).toBe(4000);
});

it('buckets hold what took at most their bound', () => {
  const histogram = new Histogram();
  for (const ms of [100, 101, 299_999, 300_001]) histogram.observe(ms);
  const { upTo, count } = histogram.read();
  expect([upTo[0], upTo[1], upTo.at(-1), count]).toEqual([1, 2, 3, 4]);
});

it('hostile names cannot leave their label', () => {
  const page = new Exposition();
  page.add('counter', 'x_total', 'X.', [{ labels: { model: 'a"} 1\nevil_total 2\\' }, value: 3 }]);
  expect(page.text()).toBe(
    '# HELP x_total X.\n# TYPE x_total counter\nx_total{model="a\\"} 1\\nevil_total 2\\\\"} 3\n',
  );
});
