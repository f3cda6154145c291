import { sql } from 'kysely';
import { maxQuota } from '../../kernel/quota.ts';
import type { LedgerKind } from '../../vocabulary/ledger-kinds.ts';
import type { StatementDrift } from '../entities/statement.ts';
import type { Access } from './access.ts';
import { readExactSum } from './exact-sum.ts';

interface Row {
  readonly user_id: number;
  readonly username: string | null;
  readonly month: number;
  readonly figure: string;
  readonly stored: string;
  readonly posted: string;
  readonly stored_rows: string;
  readonly posted_rows: string;
}

/**
 * One statement, and so one state of the database, however many postings are summed meanwhile. A
 * month has the postings after the last one of the month before.
 */
export async function verifyStatements(read: Access['read']): Promise<readonly StatementDrift[]> {
  const { rows } = await sql<Row>`
    WITH months AS (
      SELECT user_id, month, last_id, closing, lag(last_id, 1, cast(0 AS bigint)) OVER (PARTITION BY user_id ORDER BY month) AS after
      FROM statement_months
    ), figures AS (
      SELECT user_id, month, kind AS figure, amount AS stored, 0 AS posted, row_count AS stored_rows, 0 AS posted_rows
      FROM statement_sums
      UNION ALL
      SELECT months.user_id, month, kind, 0, amount, 0, 1
      FROM months JOIN ledger ON ledger.user_id = months.user_id AND ledger.id > months.after AND ledger.id <= months.last_id
      UNION ALL
      SELECT months.user_id, month, 'closing', closing, coalesce(ledger.balance_after, 0), 0, 0
      FROM months LEFT JOIN ledger ON ledger.id = months.last_id
    ), drifts AS (
      SELECT user_id, month, figure, sum(stored) AS stored, sum(posted) AS posted,
        sum(stored_rows) AS stored_rows, sum(posted_rows) AS posted_rows
      FROM figures GROUP BY user_id, month, figure
      HAVING sum(stored) != sum(posted) OR sum(stored_rows) != sum(posted_rows)
    )
    SELECT drifts.user_id, users.username, month, figure, cast(stored AS text) AS stored, cast(posted AS text) AS posted,
      cast(stored_rows AS text) AS stored_rows, cast(posted_rows AS text) AS posted_rows
    FROM drifts LEFT JOIN users ON users.id = drifts.user_id ORDER BY drifts.user_id, month, figure
  `.execute(read);
  return rows.flatMap(driftsOf);
}

function driftsOf({ user_id, username, month, figure, ...sums }: Row): readonly StatementDrift[] {
  const statement = { userId: user_id, username: username ?? '', month };
  const amount = {
    figure: figure as LedgerKind | 'closing',
    stored: readExactSum(sums.stored),
    posted: readExactSum(sums.posted),
  };
  const count = {
    figure: `${figure as LedgerKind} count` as const,
    stored: readExactSum(sums.stored_rows),
    posted: readExactSum(sums.posted_rows),
  };
  // Sums are stored up to the range of quota.
  const isStorable = amount.posted <= maxQuota && amount.posted >= -maxQuota;
  return [...(isStorable ? [amount] : []), count]
    .filter(({ stored, posted }) => stored !== posted)
    .map((drift) => ({ ...statement, ...drift }));
}
