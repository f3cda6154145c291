/** Runs the built binary as a user would. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const binary = resolve('bin/turnpike.js');

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Only variables set by the test, so that the configuration of the machine has no effect. */
function environment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'NODE_COMPILE_CACHE'];
  return { ...Object.fromEntries(kept.map((name) => [name, process.env[name]])), NO_COLOR: '1' };
}

export function newDataFolder(): { readonly path: string; remove(): void } {
  if (!existsSync(resolve('dist/main.js')))
    throw new Error('not built: run `npm run build` (`npm test` does it first)');
  const path = mkdtempSync(join(tmpdir(), 'turnpike-e2e-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Runs a command to its end; `variables` are set besides those that each test has. */
export function runBinary(
  args: readonly string[],
  stdin = '',
  variables: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  return new Promise((done, reject) => {
    const env = { ...environment(), ...variables };
    const child = spawn(process.execPath, [binary, ...args], { env, stdio: 'pipe' });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => done({ code, stdout, stderr }));
    child.stdin.end(stdin);
  });
}

/** A command that must succeed; its `--json` output parsed. */
export async function runJson<T>(args: readonly string[], stdin = ''): Promise<T> {
  const { code, stdout, stderr } = await runBinary([...args, '--json'], stdin);
  if (code !== 0) throw new Error(`turnpike ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}

export interface RunningGateway {
  readonly url: string;
  readonly process: ChildProcess;
  /** All output so far. */
  readonly output: () => string;
  /** Sends the signal and waits for the process to end. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

/** `turnpike serve` on a free port; resolves when its banner shows the address. */
export function serveBinary(
  dataDir: string,
  args: readonly string[] = [],
): Promise<RunningGateway> {
  return new Promise((started, reject) => {
    const child = spawn(
      process.execPath,
      [binary, 'serve', '--port', '0', '--no-open', '--data-dir', dataDir, ...args],
      {
        env: environment(),
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let output = '';
    const ended = new Promise<number | null>((resolveEnd) => child.on('close', resolveEnd));
    const stop = (signal: NodeJS.Signals) => {
      child.kill(signal);
      return ended;
    };
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
      const url = /(http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1];
      if (url !== undefined) started({ url, process: child, output: () => output, stop });
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('error', reject);
    void ended.then((code) => reject(new Error(`the gateway ended with ${code}: ${output}`)));
  });
}
