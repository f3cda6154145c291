/** Runs an agent as a separate process, with its own home and working folder. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Agent, Target } from './agent.ts';
import type { Program } from './install.ts';

/** Time limit of an agent in ms. */
const timeLimitMs = 90_000;

export interface Finished {
  /** Null: it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Writes files to a folder, which is created if missing. */
export function layOut(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** Environment with an unreachable proxy for everything except the gateway. */
function environmentOf(agent: Agent, target: Target, home: string): NodeJS.ProcessEnv {
  const nowhere = 'http://127.0.0.1:9';
  return {
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    HOME: home,
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    NO_PROXY: '127.0.0.1',
    ...agent.environment(target),
  };
}

/** Kills the remaining processes of the group. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Runs it with one prompt in `folder`: `home` contains its settings, `work` the files. */
export function startAgent(
  agent: Agent,
  program: Program,
  target: Target,
  prompt: string,
  folder: string,
): Promise<Finished> {
  const home = join(folder, 'home');
  layOut(home, agent.files(target));
  return new Promise((resolve, reject) => {
    const child = spawn(program.file, [...program.args, ...agent.args(target, prompt)], {
      cwd: join(folder, 'work'),
      env: environmentOf(agent, target, home),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const timer = setTimeout(() => endGroup(child.pid), timeLimitMs);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.on('error', reject);
    child.on('exit', () => {
      clearTimeout(timer);
      endGroup(child.pid);
    });
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
