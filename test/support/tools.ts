/**
 * Programs that tests need and npm does not bring. Tests without theirs are skipped, and the last
 * lines of a run say so.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findBrowser } from './browser.ts';
import { hasPostgresBinaries } from './postgres-server.ts';

const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
const onPath = (name: string): boolean => folders.some((folder) => existsSync(join(folder, name)));

interface Tool {
  readonly name: string;
  readonly tests: string;
  readonly found: () => boolean;
}

const tools = {
  browser: {
    name: 'Chromium, Chrome or Edge',
    tests: 'the console in a browser',
    found: () => findBrowser() !== undefined,
  },
  tmux: {
    name: 'tmux',
    tests: 'screens and completion in a real terminal',
    found: () => onPath('tmux'),
  },
  zsh: { name: 'zsh', tests: 'completion in zsh', found: () => onPath('zsh') },
  fish: { name: 'fish', tests: 'completion in fish', found: () => onPath('fish') },
  redis: {
    name: 'redis-server',
    tests: 'several processes of one site',
    found: () => onPath('redis-server'),
  },
  mariadb: {
    name: 'mariadb-server',
    tests: 'import from MySQL',
    found: () => ['mariadbd', 'mysqld'].some(onPath) && onPath('mariadb-install-db'),
  },
  nginx: { name: 'nginx', tests: 'nginx before the gateway', found: () => onPath('nginx') },
  caddy: { name: 'caddy', tests: 'Caddy before the gateway', found: () => onPath('caddy') },
  pgbouncer: {
    name: 'pgbouncer',
    tests: 'PostgreSQL behind a pooler',
    found: () => onPath('pgbouncer'),
  },
  postgres: {
    name: 'PostgreSQL from npm for this platform',
    tests: 'the suites on PostgreSQL',
    found: hasPostgresBinaries,
  },
} satisfies Readonly<Record<string, Tool>>;
export type ToolName = keyof typeof tools;

/** Whether tests that need it can run. Throws in CI where they cannot: there nothing is skipped. */
export function hasTool(name: ToolName): boolean {
  const { name: program, found } = tools[name];
  if (found()) return true;
  if (process.env['CI'])
    throw new Error(`${program} is not installed: scripts/install-test-tools.sh`);
  return false;
}

export function missingTools(): readonly Tool[] {
  return Object.values(tools).filter(({ found }) => !found());
}
