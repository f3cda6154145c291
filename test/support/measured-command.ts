/** Runs the command line in a process of its own, and measures it. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { program } from './program.ts';

/** ms between two looks at the process's memory. */
const interval = 100;

export interface MeasuredRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  /** The largest resident memory; 0 where the system does not say it (it is read from /proc). */
  readonly peakMegabytes: number;
}

export async function runMeasured(argv: readonly string[]): Promise<MeasuredRun> {
  const begin = Date.now();
  const child = spawn(process.execPath, [program, ...argv], {
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr, peakMegabytes] = ['', '', 0];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  const timer = setInterval(() => {
    peakMegabytes = Math.max(peakMegabytes, peakOf(child.pid ?? 0));
  }, interval);
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => clearInterval(timer));
  return { exitCode, stdout, stderr, seconds: (Date.now() - begin) / 1000, peakMegabytes };
}

function peakOf(pid: number): number {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Math.round(Number(kilobytes ?? 0) / 1024);
  } catch {
    return 0;
  }
}
