// Covers src/cli/commands/maintenance.
/** `turnpike upgrade` from every version on SQLite; upgrade.long.test.ts does it on PostgreSQL. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { testReleasedSites } from '../../support/released-sites.ts';

testReleasedSites(() => ({
  newDatabase: async () => ({}),
  schemaOf: async (dataDir) => {
    const database = new Database(join(dataDir, 'turnpike.db'), { readonly: true });
    const schema = database.prepare('SELECT sql FROM sqlite_master ORDER BY name').all();
    database.close();
    return schema;
  },
}));
