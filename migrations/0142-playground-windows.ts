import { type Kysely, sql } from 'kysely';
import type { Step } from '../src/core/storage/columns.ts';

interface Window {
  readonly id: number;
  readonly budget_id: number;
  readonly revision: number;
  readonly starts_at: number;
  readonly ends_at: number;
}

interface Charge {
  readonly id: number;
  readonly user_id: number;
  readonly kind: string;
  readonly amount: number;
  readonly windows: string;
}

/** Postings that are read at once. */
const page = 5000;

/**
 * Requests without a token had one window of a budget for each token, all users together: now each
 * user's playground has its own (docs/rules/budgets.md#each). A window of the calendar begins with
 * what its time has cost; one from the first use gets what it has counted of the user here.
 */
export const playgroundWindows: Step = async (_schema, _kinds, database) => {
  const now = Math.floor(Date.now() / 1000);
  const { rows } = await sql<Window>`select budget_windows.id, budget_id, budget_windows.revision,
    starts_at, ends_at from budget_windows
    join budgets on budgets.id = budget_id and budgets.revision = budget_windows.revision
    where budgets.each = 'token' and owner in ('group', 'model') and budgets.window = 'rolling'
      and period != 'total' and subject = '0' and ends_at > ${sql.lit(now)}`.execute(database);
  if (rows.length === 0) return;
  const spent = await spentByUser(database, rows);
  for (const { id, ...window } of rows)
    for (const [userId, amount] of spent.get(id) ?? [])
      if (amount > 0)
        await sql`insert into budget_windows
          (budget_id, revision, subject, starts_at, ends_at, opening, spent)
          values (${window.budget_id}, ${window.revision}, ${String(-userId)}, ${window.starts_at},
            ${window.ends_at}, ${amount}, ${amount})`.execute(database);
};

/** What each user's postings took from these windows, by window and user. */
async function spentByUser(
  database: Kysely<unknown>,
  windows: readonly Window[],
): Promise<ReadonlyMap<number, ReadonlyMap<number, number>>> {
  const spent = new Map(windows.map(({ id }) => [Number(id), new Map<number, number>()]));
  const take = (window: number, userId: number, amount: number) => {
    const users = spent.get(window);
    users?.set(userId, (users.get(userId) ?? 0) + amount);
  };
  const ids = sql.join(windows.map(({ id }) => sql.lit(id)));
  // Charges of versions that had rows for them.
  const { rows: older } = await sql<{ window_id: number; user_id: number; amount: number }>`
    select window_id, user_id, budget_charges.amount from budget_charges
    join ledger on ledger.id = ledger_id where window_id in (${ids})`.execute(database);
  for (const { window_id: window, user_id: userId, amount } of older)
    take(Number(window), Number(userId), Number(amount));
  const since = Math.min(...windows.map(({ starts_at: startsAt }) => Number(startsAt)));
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { rows }: { readonly rows: readonly Charge[] } =
      await sql<Charge>`select id, user_id, kind, amount, windows from ledger
      where created_at >= ${sql.lit(since)} and id > ${sql.lit(after)} and token_id is null
        and windows is not null order by id limit ${sql.lit(page)}`.execute(database);
    for (const { user_id: userId, kind, amount, windows: text } of rows) {
      const taken: unknown = JSON.parse(text);
      if (kind === 'charge')
        for (const window of taken as readonly number[])
          take(Number(window), Number(userId), -Number(amount));
      else
        for (const [window, back] of Object.entries(taken as Record<string, number>))
          take(Number(window), Number(userId), Number(back));
    }
    after = rows.length < page ? undefined : Number(rows.at(-1)?.id);
  }
  return spent;
}
