/**
 * Sums postings for statements (docs/rules/ledger.md#statement): each user's in the order in which
 * they changed the balance, behind the requests, so that a charge costs nothing more.
 */
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { addQuota } from '../kernel/quota.ts';
import type {
  StatementMonth,
  StatementProgress,
  StatementStep,
  StatementSum,
  Storage,
  SummedPosting,
} from '../storage/storage.ts';
import { dayOf, monthAfter, monthBefore, monthOf } from './statement-months.ts';

/** Postings of one user that are summed in one transaction. */
const pieceSize = 2000;
/**
 * Postings of all users that are read, and users whose sums are written, in one call: requests may
 * wait as long as it takes.
 */
const sharedPieceSize = 200;
/**
 * Postings of all users that are gathered before they are summed: the more there are of a user, the
 * fewer rows are written for each.
 */
const gatheredSize = 5000;
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
    const { to, sums, months } = sumPostings(postings, firstOpenMonth(progress, closed));
    await statements.advance(userId, progress, to, sums, months);
  }
}

/**
 * The first month that postings may still belong to. `closed`: the last one that is closed for
 * everybody; 0, which is before all months: none.
 */
function firstOpenMonth(progress: StatementProgress, closed: number): number {
  return Math.max(progress.month, monthAfter(closed));
}

/**
 * The postings of all users after one, up to which they were read, and that posting's id; at most
 * about {@link gatheredSize}.
 */
async function gather(
  { statements }: StatementStorage,
  after: number,
  newest: number,
  signal: AbortSignal,
) {
  const postings: SummedPosting[] = [];
  let upTo = after;
  while (upTo < newest && postings.length < gatheredSize && !signal.aborted) {
    const piece = await statements.postingsBetween(upTo, newest, sharedPieceSize);
    postings.push(...piece);
    upTo = piece.length < sharedPieceSize ? newest : (piece.at(-1)?.id ?? newest);
  }
  return { postings, upTo };
}

/**
 * Sums the gathered postings of some users. A user is summed alone of whom others are waiting up to
 * there, older ones or some that became visible while these were gathered, and one whose postings
 * somebody else is summing.
 */
async function sumGathered(
  storage: StatementStorage,
  byUser: ReadonlyMap<number, readonly SummedPosting[]>,
  upTo: number,
  signal: AbortSignal,
): Promise<void> {
  const { statements } = storage;
  const progress = await statements.progressOf([...byUser.keys()], upTo);
  const { month: closed } = await statements.progress(everybody);
  const steps: StatementStep[] = [];
  const alone: number[] = [];
  for (const [userId, own] of byUser) {
    const from = progress.get(userId);
    const fresh = own.filter(({ id }) => id > (from?.lastId ?? 0));
    if (from?.waiting !== fresh.length) alone.push(userId);
    else if (fresh.length > 0)
      steps.push({ userId, from, ...sumPostings(fresh, firstOpenMonth(from, closed)) });
  }
  if (steps.length > 0) alone.push(...(await statements.advanceAll(steps)));
  for (const userId of alone) if (!signal.aborted) await sumUser(storage, userId);
}

/**
 * A posting belongs to the month of its time, or to `firstOpen` where that month is closed: then to
 * its first day. So the postings of a month follow each other, and a closed month stays as it is.
 */
export function sumPostings(
  postings: readonly SummedPosting[],
  firstOpen: number,
): Pick<StatementStep, 'to' | 'sums' | 'months'> {
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
    sums.set(key, {
      month: open,
      day,
      kind,
      count: (sum?.count ?? 0) + 1,
      amount: addQuota(sum?.amount ?? 0, amount),
    });
    months.set(open, { month: open, lastId: id, closing: balanceAfter });
  }
  const last = postings.at(-1);
  const to = { lastId: last?.id ?? 0, balance: last?.balanceAfter ?? 0, month: open };
  return { to, sums: [...sums.values()], months: [...months.values()] };
}

/**
 * Sums the new postings of all users, and closes the last month once all that belongs to it is
 * summed.
 */
export async function sumEverybody(
  storage: StatementStorage,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const { statements } = storage;
  const due = monthBefore(monthOf(dayOf(nowSeconds(clock) - grace)));
  const newest = await statements.newestPosting();
  const progress = await statements.progress(everybody);
  // Months to come were closed while the clock was ahead. One may be another time zone's.
  const wasAhead = progress.month > monthAfter(monthAfter(due));
  if (newest === progress.lastId && progress.month >= due && !wasAhead) return;
  if (wasAhead) await statements.advance(everybody, progress, { ...progress, month: due });
  let at = Math.max(0, progress.lastId - overlap);
  while (at < newest && !signal.aborted) {
    const { postings, upTo } = await gather(storage, at, newest, signal);
    const users = [...Map.groupBy(postings, ({ userId }) => userId)];
    for (let done = 0; done < users.length && !signal.aborted; done += sharedPieceSize)
      await sumGathered(storage, new Map(users.slice(done, done + sharedPieceSize)), upTo, signal);
    at = upTo;
  }
  if (signal.aborted) return;
  const month = newest === 0 ? progress.month : wasAhead ? due : Math.max(progress.month, due);
  await statements.advance(everybody, progress, { lastId: newest, balance: 0, month });
}
