/**
 * Sums postings for statements (docs/rules/ledger.md#statement): each user's in the order in which they changed the balance,
 * behind the requests, so that a charge costs nothing more.
 */
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { addQuota } from '../kernel/quota.ts';
import type { Posting, StatementMonth, StatementProgress, StatementSum, Storage } from '../storage/storage.ts';
import { dayOf, monthAfter, monthBefore, monthOf } from './statement-months.ts';

/** Postings that are summed in one transaction. */
const pieceSize = 5000;
/** Ids that are searched at once for users with new postings. */
const idsPerSearch = 200_000;
/** Ids that are searched again: other processes may commit a lower id later. */
const overlap = 1000;
/** Seconds after its end until a month is closed: charges may wait for the database. */
const grace = 86_400;
/** The progress of user 0 is that of all users together. */
const everybody = 0;

type StatementStorage = Pick<Storage, 'statements'>;

/** Sums what was posted to a user since the last time. */
export async function sumUser({ statements }: StatementStorage, userId: number): Promise<void> {
  for (;;) {
    const progress = await statements.progress(userId);
    const postings = await statements.postingsAfter(userId, progress.lastId, pieceSize);
    if (postings.length === 0) return;
    const { month: closed } = await statements.progress(everybody);
    const firstOpen = Math.max(progress.month, closed === 0 ? 0 : monthAfter(closed));
    const { to, sums, months } = sumPostings(postings, firstOpen);
    await statements.advance(userId, progress, to, sums, months);
  }
}

/**
 * A posting belongs to the month of its time, or to `firstOpen` where that month is closed: then to its first day. So the
 * postings of a month follow each other, and a closed month stays as it is.
 */
export function sumPostings(
  postings: readonly Posting[],
  firstOpen: number,
): { readonly to: StatementProgress; readonly sums: readonly StatementSum[]; readonly months: readonly StatementMonth[] } {
  const sums = new Map<string, StatementSum>();
  const months = new Map<number, StatementMonth>();
  let open = firstOpen;
  for (const { id, kind, amount, balanceAfter, createdAt } of postings) {
    const date = dayOf(createdAt);
    const isLate = monthOf(date) < open;
    const day = isLate ? open * 100 + 1 : date;
    open = monthOf(day);
    const key = `${day} ${kind}`;
    const sum = sums.get(key);
    sums.set(key, { month: open, day, kind, count: (sum?.count ?? 0) + 1, amount: addQuota(sum?.amount ?? 0, amount) });
    months.set(open, { month: open, lastId: id, closing: balanceAfter });
  }
  const last = postings.at(-1);
  const to = { lastId: last?.id ?? 0, balance: last?.balanceAfter ?? 0, month: open };
  return { to, sums: [...sums.values()], months: [...months.values()] };
}

/** Sums the new postings of all users, and closes the last month once all that belongs to it is summed. */
export async function sumEverybody(storage: StatementStorage, clock: Clock, signal: AbortSignal): Promise<void> {
  const { statements } = storage;
  const due = monthBefore(monthOf(dayOf(nowSeconds(clock) - grace)));
  const newest = await statements.newestPosting();
  const progress = await statements.progress(everybody);
  if (newest === progress.lastId && progress.month >= due) return;
  let at = Math.max(0, progress.lastId - overlap);
  while (at < newest) {
    const next = Math.min(newest, at + idsPerSearch);
    for (const userId of await statements.usersBetween(at, next)) {
      if (signal.aborted) return;
      await sumUser(storage, userId);
    }
    at = next;
  }
  const month = newest === 0 ? progress.month : Math.max(progress.month, due);
  await statements.advance(everybody, progress, { lastId: newest, balance: 0, month });
}
