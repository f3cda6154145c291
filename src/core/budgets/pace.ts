/**
 * Stops a conversation or agent that spends far faster than its key usually does
 * (docs/rules/budgets.md#pace). Nothing here runs where no budget has such a fence.
 */
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import type { HourSpent, Storage } from '../storage/storage.ts';
import type { Spender } from './budget-index.ts';
import type { Fence } from './fence.ts';

/** Minutes whose spending is looked at. */
export const paceMinutes = 10;

/** What is learned from: whole hours of so many days, and the least that must be known of them. */
const learnedDays = 14;
const leastHours = 24;
const leastDays = 3;
/** The hour that counts as usual: nine of ten with spending cost less. */
const usualRank = 0.9;
/** What spends less than this part of its budget in those minutes is never too fast. */
const leastShare = 0.1;

const hour = 3600;
const day = 24 * hour;
/** Seconds after which the usual is read again, and keys in memory before all are forgotten. */
const learnedFor = hour;
const most = 5000;

/** Quota per minute in a busy hour; undefined: too little is known. Hours without spending absent. */
export function usualPerMinute(hours: readonly HourSpent[]): number | undefined {
  const days = new Set(hours.map(({ start }) => Math.floor(start / day)));
  if (hours.length < leastHours || days.size < leastDays) return undefined;
  const sums = hours.map(({ spent }) => spent).toSorted((one, other) => one - other);
  const busy = sums[Math.floor((sums.length - 1) * usualRank)] ?? 0;
  return busy > 0 ? busy / 60 : undefined;
}

/** How many times the usual was spent in the last minutes; 0: too little of the limit to say so. */
export function timesUsual(spent: number, usual: number, limit: number): number {
  return spent < limit * leastShare ? 0 : Math.floor(spent / (usual * paceMinutes));
}

export interface PacedWindow {
  readonly window: { readonly id: number; readonly limit: number; readonly refuses: boolean };
  readonly fence: Fence | undefined;
  /** The highest so far, since the window's limit was last raised. */
  pace: number;
}

export interface PaceDeps {
  readonly budgets: Pick<Storage['budgets'], 'spentByHour' | 'spentIn' | 'notePace'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

export const hasPace = ({ fence }: Pick<PacedWindow, 'fence'>): boolean =>
  fence !== undefined && fence.pace > 0;

/** The returned function rejects with AppError fence_pace. */
export function createPaceCheck({
  budgets,
  clock,
  logger,
}: PaceDeps): (windows: readonly PacedWindow[], spender: Spender) => Promise<void> {
  const learned = new Map<string, { readonly at: number; usual: Promise<number | undefined> }>();

  const usualOf = ({ userId, tokenId }: Spender, now: number): Promise<number | undefined> => {
    const key = `${userId} ${tokenId}`;
    const known = learned.get(key);
    if (known !== undefined && now - known.at < learnedFor) return known.usual;
    if (learned.size >= most) learned.clear();
    const until = now - (now % hour);
    const usual = budgets
      .spentByHour({ userId, tokenId }, until - learnedDays * day, until)
      .then(usualPerMinute);
    learned.set(key, { at: now, usual });
    usual.catch(() => learned.delete(key));
    return usual;
  };

  return async (windows, spender) => {
    const now = nowSeconds(clock);
    const usual = await usualOf(spender, now);
    if (usual === undefined) return;
    for (const opened of windows) {
      const { window, fence } = opened;
      if (fence === undefined || fence.pace === 0) continue;
      const since = Math.max(now - paceMinutes * 60, fence.from);
      const pace = timesUsual(await budgets.spentIn(window.id, since), usual, window.limit);
      if (pace > opened.pace) {
        opened.pace = pace;
        // For the notices: a request does not wait for it.
        budgets.notePace(window.id, pace).catch((error: unknown) => {
          logger.warn({ error, window: window.id }, 'the pace of a window could not be noted');
        });
      }
      if (window.refuses && pace >= fence.pace)
        throw new AppError('fence_pace', {
          budget: fence.budget,
          times: pace,
          minutes: paceMinutes,
        });
    }
  };
}
