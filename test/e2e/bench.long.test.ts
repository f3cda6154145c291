import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { BenchReport } from '../../bench/harness/report.ts';
import { postgresIsInstalled } from '../support/postgres.ts';

const script = fileURLToPath(new URL('../../bench/run.ts', import.meta.url));

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** With a thousandth of the load. */
async function runBench(...flags: readonly string[]): Promise<BenchReport> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    script,
    '--json',
    '--scale',
    '0.001',
    ...flags,
  ]);
  return JSON.parse(stdout) as BenchReport;
}

it('the benchmark measures saturation, a fixed rate, log rows and a converted stream beside the bare relay', async () => {
  const names = ['converted', 'pace-after', 'pace-events', 'pace-listing'];
  const { scenarios } = await runBench('--durability', 'normal', '--only', names.join(','));
  expect(scenarios.map(({ name }) => name).sort()).toEqual(names.toSorted());
  for (const { figures } of scenarios) {
    expect(figures.map(({ target }) => target)).toEqual(['bare relay', 'Turnpike, NORMAL']);
    for (const { failed, cpu, ratio, peakMegabytes } of figures) {
      expect(failed).toBe(0);
      for (const figure of [cpu, ratio, peakMegabytes]) expect(figure).toBeGreaterThan(0);
    }
    expect(figures[1]?.writtenKilobytes).toBeGreaterThan(0);
  }
  for (const { pace } of scenarios.find(({ name }) => name === 'pace-events')?.figures ?? [])
    expect(pace?.latency.p50).toBeGreaterThan(0);
  const paced = scenarios.find(({ name }) => name === 'pace-listing')?.figures[1]?.pace;
  expect(paced?.latency.p50).toBeGreaterThan(paced?.direct.p50 ?? Number.NaN);
  // 4 rounds of 10 ms, 2 requests in each
  expect(paced?.histogram.reduce((sum, count) => sum + count)).toBe(8);
});

it('the benchmark measures a gateway of another kind by its address and header', async () => {
  let headers: IncomingHttpHeaders = {};
  const other = createServer((request, response) => {
    ({ headers } = request);
    request.resume().on('end', () => response.end('{}'));
  });
  const port = await listen(other);
  const { scenarios } = await runBench(
    ...['--durability', 'normal', '--only', 'small', '--gateway', `http://127.0.0.1:${port}`],
    ...['--header', 'x-api-key: secret'],
  );
  const [, , figure] = scenarios[0]?.figures ?? [];
  expect(figure).toMatchObject({ target: 'the other gateway', failed: 0, cpu: 0 });
  expect(figure?.perSecond).toBeGreaterThan(0);
  expect(headers['x-api-key']).toBe('secret');
  expect(headers.authorization).toBeUndefined();
  other.close();
});

it.skipIf(!postgresIsInstalled())(
  'the benchmark measures PostgreSQL with the CPU of its server beside SQLite',
  async () => {
    const chosen = ['--durability', 'normal', '--only', 'small-users'];
    const { scenarios } = await runBench(...chosen, '--postgres', '1');
    const [, sqlite, postgres] = scenarios[0]?.figures ?? [];
    expect(postgres).toMatchObject({ target: 'Turnpike, PostgreSQL', failed: 0 });
    expect(postgres?.cpu).toBeGreaterThan(sqlite?.cpu ?? Number.NaN);
  },
  60_000,
);

it('the benchmark names the scenarios when one is unknown', async () => {
  await expect(runBench('--only', 'tiny')).rejects.toMatchObject({
    stderr: expect.stringMatching(/no scenario tiny: there are small,/),
  });
});
