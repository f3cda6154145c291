/** The data folder and the database file of SQLite. */
import { closeSync, copyFileSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { Engine } from '../engine.ts';
import type { Kind } from './kind.ts';

const isSqlite = (engine: Engine) =>
  engine.postgres === undefined ? undefined : 'a database that is a file';

function fileOf({ dataDirs }: Engine): string {
  return join(dataDirs[0] ?? '', 'turnpike.db');
}

/** Writes until nothing more fits. */
function fill(path: string): void {
  const file = openSync(path, 'w', 0o600);
  const piece = Buffer.alloc(1024 * 1024, 1);
  try {
    for (let size = piece.length; size >= 512; ) {
      try {
        writeSync(file, piece, 0, size);
      } catch {
        size = Math.floor(size / 2);
      }
    }
  } finally {
    closeSync(file);
  }
}

export const diskKinds: readonly Kind[] = [
  {
    name: 'disk-full',
    lacks: (engine) =>
      engine.isSmallDisk ? undefined : 'root, to mount a small file system below SQLite',
    run: async ({ site, random }) => {
      const filler = join(site.engine.dataDirs[0] ?? '', 'filler');
      fill(filler);
      try {
        await sleep(random.between(2000, 6000));
      } finally {
        rmSync(filler);
      }
      await sleep(2000);
    },
  },
  {
    name: 'database-locked',
    lacks: isSqlite,
    run: async ({ site, random }) => {
      const database = new Database(fileOf(site.engine), { timeout: 30_000 });
      try {
        database.exec('BEGIN IMMEDIATE');
        await sleep(random.between(1000, 8000));
        database.exec('ROLLBACK');
      } finally {
        database.close();
      }
      await sleep(1000);
    },
  },
  {
    name: 'database-replaced',
    lacks: isSqlite,
    // The gateway must take no more money for a file that nobody will find again; then it is given
    // its own back.
    run: async ({ site, random, kill }) => {
      const file = fileOf(site.engine);
      const [gateway] = site.gateways;
      if (gateway === undefined) return;
      renameSync(file, `${file}.away`);
      copyFileSync(`${file}.away`, file);
      await sleep(random.between(2000, 4000));
      await kill(gateway);
      // What is in its log belongs to the file that was moved.
      renameSync(`${file}.away`, file);
      await site.start();
    },
  },
];
