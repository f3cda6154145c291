import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { pushMetrics } from '../../../src/core/metrics/otlp.ts';

test('metrics that cannot be read once are read again at the next interval', async () => {
  let got = 0;
  const collector = createServer((request, response) => {
    got += 1;
    request.resume();
    response.end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void collector.close());
  vi.stubEnv('OTEL_METRIC_EXPORT_INTERVAL', '20');
  onTestFinished(() => void vi.unstubAllEnvs());
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const deps = { endpoint, version: 'test', instance: 'one', logger: silentLogger, now: Date.now };
  const collect = vi
    .fn(() => [])
    .mockImplementationOnce(() => {
      throw new Error('not now');
    });
  const pusher = pushMetrics(deps, collect, 0);
  onTestFinished(() => pusher.close());
  await expect.poll(() => got, { timeout: 10_000 }).toBeGreaterThan(1);
});
