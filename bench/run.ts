/**
 * `npm run bench`: measures the gateway and a bare undici relay in the same run. The result is the CPU time of the whole
 * gateway process (all threads) per request as a ratio to the bare relay, because throughput is noisy on shared machines.
 * The targets take turns in many short rounds, and the median round of each counts: what else the machine does at one
 * moment then falls on all of them alike.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const main = join(here, '..', 'dist', 'main.js');
const quick = process.argv.includes('--quick');
/** `--only small`: measures a single shape. */
const only = argument('--only');
/** `--against …/dist/main.js`: also measures the build of another checkout in the same run. */
const against = argument('--against');

function argument(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
}

interface Shape {
  readonly name: string;
  readonly title: string;
  /** Requests in all. */
  readonly count: number;
  /** Rounds that `count` is divided into. */
  readonly rounds: number;
  readonly concurrency: number;
}
const scale = quick ? 0.1 : 1;
const shapes: readonly Shape[] = [
  { name: 'small', title: 'small chat', count: 30_000 * scale, rounds: 15, concurrency: 32 },
  { name: 'stream', title: '100-event stream', count: 1500 * scale, rounds: 5, concurrency: 64 },
  { name: 'large', title: '100 KB prompt', count: 8000 * scale, rounds: 10, concurrency: 16 },
  { name: 'huge', title: '1 MB body', count: 1200 * scale, rounds: 6, concurrency: 8 },
  { name: 'slow', title: '1,000 streams at once', count: 3000, rounds: 3, concurrency: 1000 },
];

const children: ChildProcess[] = [];
const folders: string[] = [];

function start(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): { child: ChildProcess; firstLine: (match: RegExp) => Promise<string> } {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...environment } });
  children.push(child);
  const texts: string[] = [];
  const firstLine = (match: RegExp) =>
    new Promise<string>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        if (stream === null) continue;
        createInterface({ input: stream }).on('line', (line) => {
          texts.push(line);
          const found = match.exec(line);
          if (found !== null) resolve(found[1] ?? found[0]);
        });
      }
      child.once('exit', (code) => reject(new Error(`ended with ${code}: ${texts.join('\n')}`)));
    });
  return { child, firstLine };
}

/** CPU seconds of a process, all threads. */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function peakMegabytes(pid: number): number {
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
}

function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

async function load(url: string, key: string, shape: Shape, count: number): Promise<{ failed: number; seconds: number }> {
  const { firstLine } = start([join(here, 'load.ts'), url, key, shape.name, String(count), String(shape.concurrency)]);
  return JSON.parse(await firstLine(/^(\{.*\})$/)) as { failed: number; seconds: number };
}

interface Target {
  readonly name: string;
  readonly url: string;
  readonly key: string;
  readonly pid: number;
}
interface Figure {
  readonly microseconds: number;
  readonly perSecond: number;
  readonly peak: number;
  readonly failed: number;
}

async function warmUp(target: Target, shape: Shape): Promise<void> {
  await load(target.url, target.key, shape, Math.max(1, Math.round(shape.count * 0.2)));
  resetPeak(target.pid);
}

/** One round of a shape on one target. */
async function measureRound(target: Target, shape: Shape): Promise<Figure> {
  const count = Math.max(1, Math.round(shape.count / shape.rounds));
  const before = cpuSeconds(target.pid);
  const { failed, seconds } = await load(target.url, target.key, shape, count);
  const used = cpuSeconds(target.pid) - before;
  return { microseconds: (used / count) * 1e6, perSecond: count / seconds, peak: peakMegabytes(target.pid), failed };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/** Measures a shape on all targets, in rounds of turns; the order is reversed in every other round. */
async function measure(targets: readonly Target[], shape: Shape): Promise<readonly Figure[]> {
  for (const target of targets) await warmUp(target, shape);
  const rounds = targets.map((): Figure[] => []);
  for (let round = 0; round < shape.rounds; round += 1) {
    const order = [...targets.keys()];
    for (const index of round % 2 === 0 ? order : order.toReversed()) {
      const target = targets[index];
      if (target !== undefined) rounds[index]?.push(await measureRound(target, shape));
    }
  }
  return rounds.map((figures) => ({
    microseconds: median(figures.map((figure) => figure.microseconds)),
    perSecond: median(figures.map((figure) => figure.perSecond)),
    peak: Math.max(...figures.map((figure) => figure.peak)),
    failed: figures.reduce((sum, figure) => sum + figure.failed, 0),
  }));
}

async function call(
  url: string,
  path: string,
  body: object,
  headers: Record<string, string>,
): Promise<{ data: Record<string, unknown>; cookie: string }> {
  const reply = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const json = (await reply.json()) as { success: boolean; message: string; data: Record<string, unknown> };
  if (!json.success) throw new Error(`${path}: ${json.message}`);
  return { data: json.data, cookie: (reply.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
}

async function startGateway(durability: string, upstream: string, build = main, name = 'Turnpike'): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-bench-'));
  folders.push(folder);
  const { child, firstLine } = start(
    [build, 'serve', '--port', '0', '--no-open', '--data-dir', folder, '--durability', durability, '--log-level', 'error'],
    {
      SETUP_TOKEN: 'BENCHX',
    },
  );
  const url = await firstLine(/(http:\/\/127\.0\.0\.1:\d+)/);
  const account = { username: 'root', password: 'bench-password' };
  await call(url, '/api/setup', { ...account, confirmPassword: account.password, setup_token: 'BENCHX' }, {});
  const { data: user, cookie } = await call(url, '/api/user/login', account, {});
  const headers = { cookie, 'new-api-user': String(user['id']) };
  await call(
    url,
    '/api/channel/',
    { name: 'bench', type: 1, key: 'upstream', base_url: upstream, models: 'gpt-4o-mini', group: 'default' },
    headers,
  );
  const { data: token } = await call(url, '/api/token/', { name: 'bench', unlimited_quota: true, expired_time: -1 }, headers);
  return { name: `${name}, ${durability.toUpperCase()}`, url, key: `sk-${token['key']}`, pid: child.pid ?? 0 };
}

try {
  const mock = start([join(here, 'mock-upstream.ts')]);
  const upstream = `http://127.0.0.1:${await mock.firstLine(/^(\d+)$/)}`;
  const bareProcess = start([join(here, 'bare-relay.ts'), upstream]);
  const bare: Target = {
    name: 'bare relay',
    url: `http://127.0.0.1:${await bareProcess.firstLine(/^(\d+)$/)}`,
    key: 'x',
    pid: bareProcess.child.pid ?? 0,
  };
  const gateways = [await startGateway('full', upstream), await startGateway('normal', upstream)];
  if (against !== undefined) gateways.push(await startGateway('normal', upstream, against, 'the other build'));
  const rows: string[] = [];
  const targets = [bare, ...gateways];
  for (const shape of shapes.filter(({ name }) => only === undefined || name === only)) {
    const figures = await measure(targets, shape);
    const base = figures[0]?.microseconds ?? Number.NaN;
    for (const [index, figure] of figures.entries())
      rows.push(
        `| ${shape.title} | ${targets[index]?.name} | ${Math.round(figure.microseconds)} | ${(figure.microseconds / base).toFixed(2)} | ${Math.round(figure.perSecond)} | ${figure.peak} | ${figure.failed} |`,
      );
  }
  const cores = cpus();
  process.stdout.write(`\n${cores[0]?.model ?? 'unknown'}, ${cores.length} cores, Node ${process.version}\n\n`);
  process.stdout.write(
    '| shape | relay | CPU µs per request | ratio | requests per second | peak MB | failed |\n|---|---|---|---|---|---|---|\n',
  );
  process.stdout.write(`${rows.join('\n')}\n`);
} finally {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
