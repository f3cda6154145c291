import { sql } from 'kysely';
import { required, type Step, uniqueIndexName, zero } from '../src/core/storage/columns.ts';

/** The columns that the rows replace, with the provider of each. */
const columns = {
  github_id: 'github',
  oidc_id: 'oidc',
  wechat_id: 'wechat',
  telegram_id: 'telegram',
  linux_do_id: 'linux_do',
};

export const userIdentities: Step = async (schema, _kinds, database) => {
  await schema
    .createTable('user_identities')
    .addColumn('user_id', 'bigint', required)
    .addColumn('provider', 'text', required)
    .addColumn('subject', 'text', required)
    .addColumn('created_at', 'bigint', zero)
    .execute();
  const unique = (column: string) =>
    schema.createIndex(uniqueIndexName('user_identities', column)).on('user_identities').unique();
  await unique('subject').columns(['provider', 'subject']).execute();
  await unique('provider').columns(['user_id', 'provider']).execute();
  for (const [column, provider] of Object.entries(columns)) {
    const stored = sql.ref(column);
    await sql`insert into user_identities (user_id, provider, subject, created_at)
      select id, ${sql.lit(provider)}, ${stored}, created_at from users where ${stored} != ''`.execute(
      database,
    );
    await schema.dropIndex(uniqueIndexName('users', column)).execute();
    await schema.alterTable('users').dropColumn(column).execute();
  }
};
