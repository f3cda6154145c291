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
}

/**
 * One statement, and so one state of the database, however many postings are summed meanwhile. A month has the postings after
 * the last one of the month before.
 */
export async function verifyStatements(read: Access['read']): Promise<readonly StatementDrift[]> {
  const { rows } = await sql<Row>`
    WITH months AS (
      SELECT user_id, month, last_id, closing, lag(last_id, 1, cast(0 AS bigint)) OVER (PARTITION BY user_id ORDER BY month) AS after
      FROM statement_months
    ), figures AS (
      SELECT user_id, month, kind AS figure, amount AS stored, 0 AS posted FROM statement_sums
      UNION ALL
      SELECT months.user_id, month, kind, 0, amount
      FROM months JOIN ledger ON ledger.user_id = months.user_id AND ledger.id > months.after AND ledger.id <= months.last_id
      UNION ALL
      SELECT months.user_id, month, 'closing', closing, coalesce(ledger.balance_after, 0)
      FROM months LEFT JOIN ledger ON ledger.id = months.last_id
    ), drifts AS (
      SELECT user_id, month, figure, sum(stored) AS stored, sum(posted) AS posted
      FROM figures GROUP BY user_id, month, figure HAVING sum(stored) != sum(posted)
    )
    SELECT drifts.user_id, users.username, month, figure, cast(stored AS text) AS stored, cast(posted AS text) AS posted
    FROM drifts LEFT JOIN users ON users.id = drifts.user_id ORDER BY drifts.user_id, month, figure
  `.execute(read);
  return rows
    .map(({ user_id, username, month, figure, stored, posted }) => ({
      ...{ userId: user_id, username: username ?? '', month },
      figure: figure as LedgerKind | 'closing',
      stored: readExactSum(stored),
      posted: readExactSum(posted),
    }))
    .filter(({ posted }) => posted <= maxQuota && posted >= -maxQuota); // sums are stored up to the range of quota
}
