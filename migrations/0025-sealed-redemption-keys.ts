import { sql } from 'kysely';
import { empty, type Step, uniqueIndexName } from '../src/core/storage/columns.ts';

/** Redemption codes are encrypted and found by a keyed hash, as the keys of tokens are. */
export const sealedRedemptionKeys: Step = async (schema, _kinds, database, vault) => {
  for (const column of ['key_hash', 'key_enc']) {
    await schema.alterTable('redemptions').addColumn(column, 'text', empty).execute();
  }
  const { rows } = await sql<{ id: number; key: string }>`select id, key from redemptions`.execute(
    database,
  );
  for (const { id, key } of rows) {
    const hash = vault.hash(key);
    const sealed = vault.seal(key, `redemptions:${hash}`);
    await sql`update redemptions set key_hash = ${hash}, key_enc = ${sealed} where id = ${id}`.execute(
      database,
    );
  }
  await schema.dropIndex(uniqueIndexName('redemptions', 'key')).execute();
  await schema.alterTable('redemptions').dropColumn('key').execute();
  await schema
    .createIndex(uniqueIndexName('redemptions', 'key_hash'))
    .on('redemptions')
    .unique()
    .column('key_hash')
    .execute();
};
