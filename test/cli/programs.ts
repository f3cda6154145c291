/** The program as a separate process, as people run it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { program } from '../support/program.ts';

const running = new Set<ChildProcess>();

/** The data folder of the test. */
export let folder: string;

/**
 * Gives each test a folder, and ends what it started. Called at the top level of a file. Each test
 * starts several processes; a busy machine needs many seconds for that.
 */
export function startPrograms(): void {
  vi.setConfig({ testTimeout: 60_000 });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'turnpike-process-'));
  });
  afterEach(async () => {
    for (const child of running) child.kill('SIGKILL');
    await vi.waitFor(() => expect(running.size).toBe(0));
    rmSync(folder, { recursive: true, force: true });
  });
}

export function start(words: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [program, ...words], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      LANG: 'C.UTF-8',
      ...environment,
    },
  });
  running.add(child);
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    printed.stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    printed.stderr += String(chunk);
  });
  const exited = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      running.delete(child);
      resolve(code);
    }),
  );
  return { child, printed, exited };
}

export async function run(words: readonly string[], input = '') {
  const { child, printed, exited } = start(words);
  child.stdin?.end(input);
  return { exitCode: await exited, ...printed };
}

export async function serve(environment: NodeJS.ProcessEnv = {}) {
  const server = start(['serve', '--port', '0', '--no-open', '--data-dir', folder], environment);
  await vi.waitFor(() => expect(server.printed.stdout).toMatch(/http:\/\/127\.0\.0\.1:\d+/));
  return { ...server, url: /http:\/\/127\.0\.0\.1:\d+/.exec(server.printed.stdout)?.[0] ?? '' };
}
