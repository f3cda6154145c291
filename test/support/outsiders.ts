/**
 * Other programs that open the database of a running gateway: SQLite's own shell, Python's module,
 * and an agent that copies the files. The SQLite that better-sqlite3 brings along stands for none
 * of them: on closing it leaves the log of others alone.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Outsider {
  readonly name: string;
  /** Opens the database, reads from it and closes it. */
  visit(database: string): Promise<void>;
}

const query = 'select count(*) from users';
const python = `
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], timeout=30)
database.execute('${query}').fetchall()
database.close()`;

const sqliteShell: Outsider = {
  name: 'sqlite3',
  visit: async (database) =>
    void (await run('sqlite3', ['-cmd', '.timeout 30000', database, query])),
};

const pythonModule: Outsider = {
  name: 'python3',
  visit: async (database) => void (await run('python3', ['-c', python, database])),
};

const copyingAgent: Outsider = {
  name: 'a copying agent',
  visit: async (database) => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-agent-'));
    const files = ['', '-wal', '-shm']
      .map((suffix) => database + suffix)
      .filter((file) => existsSync(file));
    await run('cp', [...files, folder]);
    rmSync(folder, { recursive: true });
  },
};

async function answers(program: string, args: readonly string[]): Promise<boolean> {
  return run(program, args).then(
    () => true,
    () => false,
  );
}

/**
 * Those that this machine has. Throws without SQLite's shell (`scripts/install-test-tools.sh`): the
 * others cannot stand for it.
 */
export async function findOutsiders(): Promise<readonly Outsider[]> {
  if (!(await answers('sqlite3', ['--version'])))
    throw new Error('sqlite3 is missing: run scripts/install-test-tools.sh');
  const hasPython = await answers('python3', ['-c', 'import sqlite3']);
  return [sqliteShell, ...(hasPython ? [pythonModule] : []), copyingAgent];
}

/** The range of bytes that SQLite locks while a connection of the process uses the file. */
const sharedBytes = '1073741826 1073742335';

/** Whether a process holds SQLite's shared lock on a database; undefined: only Linux tells. */
export function holdsItsLock(process: number): boolean | undefined {
  if (!existsSync('/proc/locks')) return undefined;
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .some(
      (line) => new RegExp(` READ +${process} `).test(line) && line.endsWith(` ${sharedBytes}`),
    );
}
