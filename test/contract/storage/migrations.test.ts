/** Steps that move rows: the rows as an earlier release left them, and as they are afterwards. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrations } from '../../../migrations/index.ts';
import type { Engine } from '../../../src/core/storage/dialects/engine.ts';
import { openPostgresEngine } from '../../../src/core/storage/dialects/postgres.ts';
import { openSqliteEngine } from '../../../src/core/storage/dialects/sqlite.ts';
import { migrate } from '../../../src/core/storage/migrate.ts';
import { forEachEngine } from '../../support/storage.ts';

function openEngine(url: string): Promise<Engine> {
  if (!url.startsWith('sqlite:')) return openPostgresEngine({ url, onError: () => {} });
  return openSqliteEngine({
    file: url.slice('sqlite:'.length),
    durability: 'normal',
    onDeath: () => {},
  });
}

/** The steps before `name`. */
function stepsBefore(name: string) {
  const names = Object.keys(migrations);
  return Object.fromEntries(Object.entries(migrations).slice(0, names.indexOf(name)));
}

forEachEngine('migrations', (engine) => {
  test.skipIf(engine.name === 'sqlite in memory')('a column of each provider becomes a row per identity', async () => {
    const url = await engine.freshUrl();
    const database = await openEngine(url);
    await migrate(database, stepsBefore('0021-user-identities'));
    const insert = (name: string, github: string, linuxDo: string) =>
      sql`insert into users (username, username_normalized, password, github_id, linux_do_id, created_at)
        values (${name}, ${name}, '', ${github}, ${linuxDo}, 7)`.execute(database.write);
    await insert('ann', '77', '5');
    await insert('bob', '', '');
    await insert('cat', '78', '');
    expect((await migrate(database)).executed).toContain('0021-user-identities');
    await database.close();

    const storage = await engine.open({ url });
    expect(await storage.userIdentities.listByUsers([1, 2, 3])).toEqual([
      { userId: 1, provider: 'github', subject: '77', createdAt: 7 },
      { userId: 1, provider: 'linux_do', subject: '5', createdAt: 7 },
      { userId: 3, provider: 'github', subject: '78', createdAt: 7 },
    ]);
    expect((await storage.users.findByUsername('cat'))?.id).toBe(3);
  });
});
