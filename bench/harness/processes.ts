/** Processes and folders of a benchmark; all of them are gone after {@link cleanUp}. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  /**
   * The first group of the next line that matches; rejects with the output when the process ends
   * before. One call at a time.
   */
  firstLine(match: RegExp): Promise<string>;
}

/** Lines of output that are kept for an error message. */
const keptLines = 200;

const children = new Set<ChildProcess>();
const folders = new Set<string>();

/** Runs a script with this Node; `core` pins all of its threads to one processor (Linux). */
export function startScript(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  core?: number,
): Started {
  const command = [
    ...(core === undefined ? [] : ['taskset', '-c', String(core)]),
    process.execPath,
    ...args,
  ];
  const child = spawn(command[0] ?? '', command.slice(1), {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  const lines: string[] = [];
  let wanted:
    | { match: RegExp; resolve: (text: string) => void; reject: (error: Error) => void }
    | undefined;
  const take = (line: string) => {
    const found = wanted?.match.exec(line);
    if (found) {
      wanted?.resolve(found[1] ?? found[0]);
      wanted = undefined;
    } else if (lines.length < keptLines) lines.push(line);
  };
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', take);
  const fail = (why: string) =>
    wanted?.reject(new Error(`${args.join(' ')} ended (${why}): ${lines.join('\n')}`));
  child.once('exit', (code) => fail(`code ${code}`));
  child.once('error', ({ message }) => fail(message));
  const firstLine = (match: RegExp) =>
    new Promise<string>((resolve, reject) => {
      wanted = { match, resolve, reject };
      for (const line of lines.splice(0)) take(line);
      if (child.exitCode !== null) fail(`code ${child.exitCode}`);
    });
  return { child, pid: child.pid ?? 0, firstLine };
}

export async function stop({ child }: Started): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-bench-'));
  folders.add(folder);
  return folder;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
}

export function cleanUp(): void {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) removeFolder(folder);
}
