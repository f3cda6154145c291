/** `turnpike upgrade` from every version on PostgreSQL. */
import { Client } from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { postgresIsInstalled, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { testReleasedSites } from '../../support/released-sites.ts';

describe.skipIf(!postgresIsInstalled())('PostgreSQL', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  testReleasedSites(() => ({
    newDatabase: async () => ({ TURNPIKE_DATABASE_URL: await server.createDatabase() }),
    schemaOf: async (_, environment) => {
      const client = new Client({ connectionString: environment['TURNPIKE_DATABASE_URL'] });
      await client.connect();
      const { rows } = await client.query(
        'SELECT table_name, column_name, data_type, column_default FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY table_name, column_name',
      );
      await client.end();
      return rows;
    },
  }));
});
