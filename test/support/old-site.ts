/**
 * The database of an earlier version: a site with the schema of that time, and rows that later
 * migrations move.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { migrations } from '../../migrations/index.ts';
import { openPostgresEngine } from '../../src/core/storage/dialects/postgres.ts';
import { openSqliteEngine } from '../../src/core/storage/dialects/sqlite.ts';
import { migrate } from '../../src/core/storage/migrate.ts';
import { createVault } from '../../src/core/storage/vault.ts';

/**
 * The last migration that the database had. GitHub accounts were columns of users, redemption codes
 * were stored as they are.
 */
const newest = '0020-uploads';
const cryptoSecret = 'the secret of an old site';

/**
 * With root (500 quota, GitHub account `g1`) and the redemption code `code-of-old`. The key file is
 * written into `folder`.
 */
export async function makeOldSite(
  folder: string,
  url = `sqlite:${join(folder, 'turnpike.db')}`,
): Promise<void> {
  const engine = url.startsWith('sqlite:')
    ? await openSqliteEngine({
        file: url.slice('sqlite:'.length),
        durability: 'normal',
        onDeath: () => {},
      })
    : await openPostgresEngine({ url, onError: () => {} });
  const steps = Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= newest));
  await migrate(engine, createVault(Buffer.from(cryptoSecret)), steps);
  for (const statement of [
    sql`insert into users (username, username_normalized, password, role, quota, github_id) values ('root', 'root', 'x', 100, 500, 'g1')`,
    sql`insert into ledger (user_id, kind, amount, balance_after, created_at) values (1, 'grant', 500, 500, 1700000000)`,
    sql`insert into redemptions (user_id, key, name) values (1, 'code-of-old', 'Old')`,
    sql`insert into setups (id, version, initialized_at) values (1, '0.0.1', 1700000000)`,
  ])
    await statement.execute(engine.write);
  await engine.close();
  writeFileSync(
    join(folder, 'secret.json'),
    JSON.stringify({ session_secret: 's', crypto_secret: cryptoSecret }),
    {
      mode: 0o600,
    },
  );
}
