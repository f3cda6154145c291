/** The built program, started with `node bin/turnpike.js serve` on a new data folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from './program.ts';

/** Time limit until it listens, in ms; far above the goal of one second, for busy machines. */
const startMs = 100_000;

/** No rate limits: a test opens more pages per minute than people do. */
const unlimited = {
  GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
  GLOBAL_WEB_RATE_LIMIT_ENABLE: 'false',
  CRITICAL_RATE_LIMIT_ENABLE: 'false',
};

export interface BuiltGateway {
  readonly url: string;
  /** The six characters of the setup code, without the gap shown in the terminal. */
  readonly setupCode: string;
  readonly dataDir: string;
  readonly pid: number;
  close(): Promise<void>;
}

/**
 * Starts it and reads address and setup code from its output. `environment`: further process
 * settings. Throws with the output if it does not start.
 */
export async function startBuiltGateway(
  environment: Readonly<Record<string, string>> = {},
): Promise<BuiltGateway> {
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-e2e-'));
  const child = spawn(
    process.execPath,
    [program, 'serve', '--port', '0', '--no-open', '--data-dir', dataDir],
    {
      env: { ...process.env, ...unlimited, ...environment, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let isClosing = false;
  const close = async () => {
    isClosing = true;
    await stop(child);
    rmSync(dataDir, { recursive: true, force: true });
  };
  let printed = '';
  try {
    return await new Promise<BuiltGateway>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`the gateway did not start:\n${printed}`)),
        startMs,
      );
      const read = (chunk: Buffer) => {
        printed += chunk.toString('utf8');
        const url = /https?:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0];
        const code = /\b([0-9A-Z]{3}) ([0-9A-Z]{3})\b/.exec(printed);
        if (url === undefined || code === null) return;
        clearTimeout(timer);
        resolve({ url, setupCode: `${code[1]}${code[2]}`, dataDir, pid: child.pid ?? 0, close });
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('exit', (status, signal) => {
        const message = `the gateway ended with ${status ?? signal}:\n${printed}`;
        reject(new Error(message));
        if (!isClosing) process.stderr.write(message);
      });
    });
  } catch (error) {
    await close();
    throw error;
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
