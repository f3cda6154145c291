import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { BenchReport } from '../../bench/harness/report.ts';

const script = fileURLToPath(new URL('../../bench/run.ts', import.meta.url));

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
  const names = ['converted', 'pace-after', 'pace-listing'];
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
  const paced = scenarios.find(({ name }) => name === 'pace-listing')?.figures[1]?.pace;
  expect(paced?.latency.p50).toBeGreaterThan(paced?.direct.p50 ?? Number.NaN);
  // 4 rounds of 10 ms, 2 requests in each
  expect(paced?.histogram.reduce((sum, count) => sum + count)).toBe(8);
}, 60_000);

it('the benchmark names the scenarios when one is unknown', async () => {
  await expect(runBench('--only', 'tiny')).rejects.toMatchObject({
    stderr: expect.stringMatching(/no scenario tiny: there are small,/),
  });
});
