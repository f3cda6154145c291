import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { required, type Step, zero } from '../src/core/storage/columns.ts';
import { afterSegment, nextDigest, rowText } from '../src/core/storage/ledger/chain.ts';

const linkedTables = ['ledger', 'token_allowances'] as const;
type LinkedTable = (typeof linkedTables)[number];

/** Rows that are hashed as a whole. */
const segmentSize = 10_000;

/**
 * Postings and allowances carry links from now on (docs/rules/ledger.md#chain). Rows that are there
 * already stay as they are: each segment of them has one hash, and the first link follows the last
 * segment. Used quota of tokens that no posting explains (imported, or of an earlier version)
 * becomes a row of its allowances.
 */
export const ledgerChain: Step = async (schema, _kinds, database) => {
  await schema.alterTable('ledger').addColumn('link', 'text').execute();
  await schema.alterTable('token_allowances').addColumn('used', 'bigint', zero).execute();
  await schema.alterTable('token_allowances').addColumn('link', 'text').execute();
  await sql`insert into token_allowances (token_id, amount, used, remain_after, created_at)
    select tokens.id, 0, tokens.used_quota + coalesce(charged.amount, 0), tokens.remain_quota, tokens.created_time
    from tokens left join (select token_id, sum(amount) as amount from ledger where token_id is not null group by token_id) charged
      on charged.token_id = tokens.id
    where tokens.used_quota + coalesce(charged.amount, 0) != 0 order by tokens.id`.execute(
    database,
  );

  await schema
    .createTable('ledger_chains')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('start', 'text', required)
    .addColumn('last_id', 'bigint', required)
    .addColumn('link', 'text', required)
    .execute();
  await schema
    .createTable('ledger_segments')
    .addColumn('name', 'text', required)
    .addColumn('last_id', 'bigint', required)
    .addColumn('first_id', 'bigint', required)
    .addColumn('row_count', 'bigint', required)
    .addColumn('digest', 'text', required)
    .addPrimaryKeyConstraint('ledger_segments_pkey', ['name', 'last_id'])
    .execute();
  await schema
    .createTable('ledger_seals')
    .addColumn('target', 'text', (column) => column.primaryKey())
    .addColumn('sealed_at', 'bigint', zero)
    .addColumn('posting_id', 'bigint', zero)
    .addColumn('tried_at', 'bigint', zero)
    .addColumn('error', 'text', required)
    .execute();
  for (const name of linkedTables) await begin(database, name);
};

async function begin(database: Kysely<unknown>, name: LinkedTable): Promise<void> {
  const start = randomBytes(18).toString('base64');
  let link = start;
  let lastId = 0;
  for (;;) {
    const { rows } = await sql<{
      id: number;
      text: string;
    }>`select id, ${sql.raw(rowText[name])} as text
      from ${sql.table(name)} where id > ${lastId} order by id limit ${segmentSize}`.execute(
      database,
    );
    const [first] = rows;
    if (first === undefined) break;
    const digest = rows.reduce((so, { id, text }) => nextDigest(so, id, text), '');
    lastId = rows.at(-1)?.id ?? lastId;
    await sql`insert into ledger_segments (name, last_id, first_id, row_count, digest)
      values (${name}, ${lastId}, ${first.id}, ${rows.length}, ${digest})`.execute(database);
    link = afterSegment(link, digest);
  }
  await sql`insert into ledger_chains (name, start, last_id, link) values (${name}, ${start}, ${lastId}, ${link})`.execute(
    database,
  );
}
