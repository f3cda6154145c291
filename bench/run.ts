/**
 * `npm run bench`: measures the gateway and a bare undici relay in the same run. The result is the CPU time of the whole
 * gateway process (all threads) per request as a ratio to the bare relay, because throughput is noisy on shared machines.
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
  readonly count: number;
  readonly concurrency: number;
}
const scale = quick ? 0.1 : 1;
const shapes: readonly Shape[] = [
  { name: 'small', title: 'small chat', count: 30_000 * scale, concurrency: 32 },
  { name: 'stream', title: '100-event stream', count: 1500 * scale, concurrency: 64 },
  { name: 'large', title: '100 KB prompt', count: 8000 * scale, concurrency: 16 },
  { name: 'slow', title: '1,000 streams at once', count: 1000, concurrency: 1000 },
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

async function measure(target: Target, shape: Shape): Promise<Figure> {
  await load(target.url, target.key, shape, Math.max(1, Math.round(shape.count * (shape.name === 'slow' ? 1 : 0.2))));
  resetPeak(target.pid);
  const before = cpuSeconds(target.pid);
  const { failed, seconds } = await load(target.url, target.key, shape, shape.count);
  const used = cpuSeconds(target.pid) - before;
  return { microseconds: (used / shape.count) * 1e6, perSecond: shape.count / seconds, peak: peakMegabytes(target.pid), failed };
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
  for (const shape of shapes.filter(({ name }) => only === undefined || name === only)) {
    const base = await measure(bare, shape);
    const show = (target: Target, figure: Figure) =>
      rows.push(
        `| ${shape.title} | ${target.name} | ${Math.round(figure.microseconds)} | ${(figure.microseconds / base.microseconds).toFixed(2)} | ${Math.round(figure.perSecond)} | ${figure.peak} | ${figure.failed} |`,
      );
    show(bare, base);
    for (const gateway of gateways) show(gateway, await measure(gateway, shape));
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
