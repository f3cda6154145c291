/**
 * `npm run screens`: walks through the terminal screens in real terminals (needs tmux) and keeps every frame in
 * docs/terminal-frames. The test checks the frames; what no test sees is for whoever reads them.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const made = join(root, 'test-results/terminal');
rmSync(made, { recursive: true, force: true });
const { status } = spawnSync('npx', ['vitest', 'run', 'test/cli/screens/walk.test.ts'], { cwd: root, stdio: 'inherit' });
if (status === 0) cpSync(made, join(root, 'docs/terminal-frames'), { recursive: true });
process.exitCode = status ?? 1;
