/**
 * Preloaded (`node --import`) into a command that is to die in the middle: `DIE_AT=3` ends the
 * process with SIGKILL before it gives a third file its name, `DIE_AT_QUERY=text` before the first
 * query to PostgreSQL that begins so.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import pg from 'pg';

const at = Number(process.env.DIE_AT ?? 0);
const query = process.env.DIE_AT_QUERY;
const die = (): void => void process.kill(process.pid, 'SIGKILL');

let changes = 0;
const rename = fs.renameSync;
Object.assign(fs, {
  renameSync: (from: string, to: string) => {
    changes += 1;
    if (changes === at) die();
    rename(from, to);
  },
});
syncBuiltinESMExports();

if (query !== undefined) {
  const send = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  Object.assign(pg.Client.prototype, {
    query(this: unknown, ...args: unknown[]) {
      const [first] = args;
      const text = typeof first === 'string' ? first : ((first as { text?: string }).text ?? '');
      if (text.toUpperCase().startsWith(query.toUpperCase())) die();
      return send.apply(this, args);
    },
  });
}
