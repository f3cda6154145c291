/**
 * The program as people run it, for `spawn(process.execPath, [program, …])`: it starts in a third
 * of the time of its sources.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const program = at('bin/turnpike.js');
/** For tests that replace packages, which are part of the built program. */
export const sourceProgram = at('src/cli/main.ts');

const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [at('scripts/ready.mjs'), 'only-build'],
  { encoding: 'utf8' },
);
if (status !== 0) throw new Error(`the program could not be built:\n${stdout}${stderr}`);
