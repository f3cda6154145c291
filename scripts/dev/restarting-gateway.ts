/** Keeps a gateway running from source and restarts it when a file changes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface RestartingGateway {
  close(): Promise<void>;
}

export interface RestartingGatewayOptions {
  readonly port: number;
  readonly dataDir: string;
  /** A line for the terminal. */
  readonly report: (line: string) => void;
  /** Settings of the gateway by their environment variables. */
  readonly environment: Readonly<Record<string, string>>;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
/** The console has its own reload. */
const watched = ['src/core', 'src/server', 'src/cli', 'migrations'];
/** A demo site never takes its database, address or secrets from the developer's environment. */
const inheritedVariables = [
  'PATH',
  'HOME',
  'USERPROFILE',
  'SystemRoot',
  'TMPDIR',
  'TEMP',
  'TZ',
  'LANG',
  'NODE_OPTIONS',
  'LOG_LEVEL',
];
/** Editors write several files in a row, and some files twice. */
const settleMs = 150;
/** Streams may finish when the gateway stops; a developer does not wait longer than this. */
const stopMs = 3000;
const startMs = 30_000;

/** Resolves when the gateway replies. Throws Error if it does not within {@link startMs}. */
export async function startRestartingGateway(
  options: RestartingGatewayOptions,
): Promise<RestartingGateway> {
  const { port, dataDir, report, environment } = options;
  let child: ChildProcess | undefined;
  let isClosing = false;
  let restarting: Promise<void> = Promise.resolve();
  /** Processes that are being stopped on purpose. */
  const stopping = new WeakSet<ChildProcess>();

  const start = (): ChildProcess => {
    const words = [
      'serve',
      '--port',
      String(port),
      '--data-dir',
      dataDir,
      '--durability',
      'normal',
      '--no-open',
    ];
    const started = spawn(
      process.execPath,
      ['--enable-source-maps', join(root, 'scripts/dev/gateway.ts'), ...words],
      {
        cwd: dataDir,
        env: { ...inherited(), ...environment },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        // Ctrl-C reaches the launcher alone, which then ends the gateway.
        detached: true,
      },
    );
    started.once('exit', (code) => {
      if (started === child && !isClosing && !stopping.has(started)) {
        report(`the gateway ended (${code ?? 'killed'}); it starts again when a file changes`);
      }
    });
    return started;
  };

  const stop = async (running: ChildProcess | undefined): Promise<void> => {
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    stopping.add(running);
    const ended = once(running, 'exit');
    running.kill('SIGTERM');
    const timer = setTimeout(() => running.kill('SIGKILL'), stopMs);
    await ended;
    clearTimeout(timer);
  };

  const restart = async (file: string): Promise<void> => {
    if (isClosing) return;
    report(`${file} changed: the gateway restarts`);
    await stop(child);
    if (!isClosing) child = start();
  };

  child = start();
  const watchers = watchSources((file) => {
    restarting = restarting.then(() => restart(file));
  });
  const close = async (): Promise<void> => {
    isClosing = true;
    for (const watcher of watchers) watcher.close();
    await restarting;
    await stop(child);
  };
  try {
    await waitUntilReady(`http://127.0.0.1:${port}/api/status`, () => child?.exitCode === null);
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}

function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(inheritedVariables.map((name) => [name, process.env[name]]));
}

/**
 * Calls `onChange` with one of the files when the sources have changed and no further change came
 * for a moment.
 */
function watchSources(onChange: (file: string) => void): readonly FSWatcher[] {
  let timer: NodeJS.Timeout | undefined;
  return watched.map((folder) =>
    watch(join(root, folder), { recursive: true }, (_, name) => {
      if (name === null || !/\.tsx?$/.test(name)) return;
      clearTimeout(timer);
      timer = setTimeout(() => onChange(join(folder, name)), settleMs);
    }),
  );
}

async function waitUntilReady(url: string, isRunning: () => boolean): Promise<void> {
  const deadline = Date.now() + startMs;
  while (Date.now() < deadline && isRunning()) {
    const reply = await fetch(url).catch(() => undefined);
    if (reply?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the gateway did not start');
}
