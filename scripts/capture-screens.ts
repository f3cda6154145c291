/**
 * `npm run screens`: walks through the terminal screens in real terminals (needs tmux) and keeps
 * every frame in docs/terminal-frames. The test checks the frames; what no test sees is for whoever
 * reads them.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const made = join(root, 'test-results/terminal');
const kept = join(root, 'docs/terminal-frames');

/**
 * What is another in each run, and what is kept in its place: as wide, so that two captures differ
 * where the screens do.
 */
const varying: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/\b\d\d-\d\d \d\d:\d\d:\d\d\b/g, '11-20 19:04:52'],
  [/\b\d\d:\d\d:\d\d\b/g, '19:04:52'],
  [/\b127\.0\.0\.1:\d{5}\b/g, '127.0.0.1:30000'],
  // Ids of requests: 23 digits of the time and 8 letters or digits, whole or shortened.
  [/\b20\d{21}\w{8}\b/g, '20261120190452000000000aaaaaaaa'],
  [/\b20\d{3}…\w{4}\b/g, '20261…aaaa'],
];

rmSync(made, { recursive: true, force: true });
const { status } = spawnSync('npx', ['vitest', 'run', 'test/cli/screens/walk.long.test.ts'], {
  cwd: root,
  stdio: 'inherit',
});
if (status === 0)
  for (const name of readdirSync(made)) {
    const frames = readFileSync(join(made, name), 'utf8');
    const steady = varying.reduce(
      (text, [pattern, replacement]) => text.replace(pattern, replacement),
      frames,
    );
    writeFileSync(join(kept, name), steady);
  }
process.exitCode = status ?? 1;
