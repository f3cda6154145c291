/**
 * `npm run bench`: measures the gateway beside a bare relay, and tells what a request costs:
 * processor time of all threads, bytes written, memory, and at a fixed rate the latency that it
 * adds to direct calls. The ratio to the bare relay is comparable between machines.
 *
 * - `--only small,pace`: these scenarios (bench/harness/scenarios.ts). `--quick`: a tenth of the
 *   load; `--scale 0.01`: that much of it.
 * - `--durability normal`: of `full` and `normal` only this one.
 * - `--against …/dist/main.js`: also measures the build of another checkout in the same run, with
 *   durability `normal` unless one is chosen.
 * - `--gateway http://…`: also measures a gateway of any kind that runs already, with the header
 *   `--header 'x-api-key: …'`. Its upstream has to be that of the benchmark: `--upstream-port 9100`
 *   says where. `--gateway-pid`: the process whose CPU and memory are measured.
 * - `--postgres 1,2`: also measures each build on PostgreSQL with one and with two processes, a
 *   server of its own for each, whose CPU is counted with the gateway's. More than one need Redis.
 * - `--pin`: the gateway runs on the first processor, everything else on the second.
 * - `--accept`: keeps the ratios of this run in bench/accepted.json; later runs show them beside theirs.
 * - `--json`: the figures as JSON; the tables then go to standard error.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argument, hasFlag, listArgument } from './harness/arguments.ts';
import { startLoadGenerator } from './harness/load-generator.ts';
import { measure } from './harness/measure.ts';
import { cleanUp } from './harness/processes.ts';
import { type Ratios, reportOf, reportText, type ScenarioReport } from './harness/report.ts';
import { type Scenario, scaled, scenarios, titleOf } from './harness/scenarios.ts';
import { sitesOf } from './harness/site.ts';
import {
  type Cores,
  runningTarget,
  startTargets,
  startUpstream,
  type Target,
  type Variant,
} from './harness/targets.ts';

function chosenScenarios(): readonly Scenario[] {
  const names = listArgument('--only');
  const unknown = names?.filter((wanted) => !scenarios.some(({ name }) => name === wanted)) ?? [];
  if (unknown.length > 0)
    throw new Error(
      `no scenario ${unknown.join(', ')}: there are ${scenarios.map(({ name }) => name).join(', ')}`,
    );
  const scale = Number(argument('--scale') ?? (hasFlag('--quick') ? 0.1 : 1));
  if (!(scale > 0)) throw new Error('--scale is a number above 0');
  return scenarios
    .filter(({ name }) => names === undefined || names.includes(name))
    .map((scenario) => scaled(scenario, scale));
}

function chosenVariants(): readonly Variant[] {
  const chosen = listArgument('--durability');
  const processes = listArgument('--postgres')?.map(Number) ?? [];
  const variantsOf = (build: string, name: string, durabilities: readonly string[]): Variant[] => {
    const sites = sitesOf(build);
    const onSqlite = durabilities.map((durability) => ({
      build,
      durability,
      sites,
      name: `${name}, ${durability.toUpperCase()}`,
    }));
    const onPostgres = processes.map((workers) => ({
      build,
      durability: 'full',
      sites,
      workers,
      name: `${name}, PostgreSQL${workers > 1 ? `, ${workers} processes` : ''}`,
    }));
    return [...onSqlite, ...onPostgres];
  };
  const against = argument('--against');
  return [
    ...variantsOf(
      join(import.meta.dirname, '..', 'dist', 'main.js'),
      'Turnpike',
      chosen ?? ['full', 'normal'],
    ),
    ...(against === undefined ? [] : variantsOf(against, 'the other build', chosen ?? ['normal'])),
  ];
}

function otherGateways(): readonly Target[] {
  const url = argument('--gateway');
  if (url === undefined) return [];
  return [runningTarget(url, argument('--header'), Number(argument('--gateway-pid') ?? 0))];
}

const acceptedFile = join(import.meta.dirname, 'accepted.json');

/** The ratios of the last accepted run, by scenario; those of other scenarios stay. */
function accept(
  earlier: Readonly<Record<string, Ratios>>,
  results: readonly ScenarioReport[],
): void {
  const rounded = ({ figures }: ScenarioReport): Ratios =>
    Object.fromEntries(
      figures
        .filter(({ target }) => target.startsWith('Turnpike'))
        .map(({ target, ratio }) => [target, Math.round(ratio * 100) / 100]),
    );
  const ratios = Object.fromEntries(results.map((result) => [result.name, rounded(result)]));
  writeFileSync(acceptedFile, `${JSON.stringify({ ...earlier, ...ratios }, null, 2)}\n`);
}

async function run(): Promise<void> {
  const accepted = JSON.parse(readFileSync(acceptedFile, 'utf8')) as Record<string, Ratios>;
  const cores: Cores = hasFlag('--pin') ? { gateway: 0, others: 1 } : {};
  const chosen = chosenScenarios();
  const variants = chosenVariants();
  const others = otherGateways();
  const upstream = await startUpstream(cores, argument('--upstream-port') ?? '0');
  const load = startLoadGenerator(cores.others);
  const results: ScenarioReport[] = [];
  for (const scenario of chosen) {
    process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${titleOf(scenario)}\n`);
    const targets = await startTargets(variants, scenario, upstream.url, cores, others);
    results.push({
      name: scenario.name,
      title: titleOf(scenario),
      goal: scenario.goal,
      accepted: accepted[scenario.name],
      figures: await measure({ load, upstream }, scenario, targets),
    });
    await Promise.all(targets.map((target) => target.close()));
  }
  if (hasFlag('--accept')) accept(accepted, results);
  const report = reportOf(results);
  if (hasFlag('--json')) process.stdout.write(`${JSON.stringify(report)}\n`);
  (hasFlag('--json') ? process.stderr : process.stdout).write(`\n${reportText(report)}\n`);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    cleanUp();
    process.exit(130);
  });
}
try {
  await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
} finally {
  cleanUp();
}
process.exit();
