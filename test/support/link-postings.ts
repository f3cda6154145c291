import type Database from 'better-sqlite3';
import { linkGroup, rowText } from '../../src/core/storage/ledger/chain.ts';

/**
 * Links postings that were written directly after the end of the chain, as the ledger would have.
 */
export function linkPostings(database: Database.Database): void {
  const end = database.prepare<[], { last_id: number; link: string }>(
    "select last_id, link from ledger_chains where name = 'ledger'",
  );
  const { last_id: last, link } = end.get() ?? { last_id: 0, link: '' };
  const rows = database
    .prepare<[number], { id: number; text: string }>(
      `select id, ${rowText.ledger} as text from ledger where id > ? order by id`,
    )
    .all(last);
  const links = linkGroup(link, rows);
  const update = database.prepare('update ledger set link = ? where id = ?');
  for (const [index, { id }] of rows.entries()) update.run(links[index], id);
  database
    .prepare("update ledger_chains set last_id = ?, link = ? where name = 'ledger'")
    .run(rows.at(-1)?.id ?? last, links.at(-1) ?? link);
}
