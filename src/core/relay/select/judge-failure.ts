/** What a failed attempt means for its channel (docs/rules/routing.md#failure-meaning). */
import { errorTable } from '../../kernel/errors.ts';
import type { Failure } from '../failure.ts';
import { maskMessage } from '../mask.ts';

export interface FailureMeaning {
  /**
   * The channel's own fault (5xx, no connection, silence, an unreadable answer): its circuit counts
   * it.
   */
  readonly own: boolean;
  /** The key is at fault or at its limit: another key of the same channel may serve. */
  readonly keyOnly: boolean;
  /** A cool-down for this model: the seconds the upstream gave, or `unnamed`. */
  readonly coolDown: number | 'unnamed' | undefined;
}

const nothing: FailureMeaning = { own: false, keyOnly: false, coolDown: undefined };
const channelFault: FailureMeaning = { own: true, keyOnly: false, coolDown: undefined };

/** Statuses about the account behind a key. */
const keyStatuses = new Set([401, 402, 403]);
/** Overloaded: with a `Retry-After` the same as a 429. */
const overloadStatuses = new Set([503, 529]);

export function judgeFailure(failure: Failure): FailureMeaning {
  if (failure.from === 'gateway') {
    const { local, status } = errorTable[failure.error.code];
    return !local && status >= 500 ? channelFault : nothing;
  }
  const { status, retryAfter, accountFault } = failure.error;
  if (status === 429) return { own: false, keyOnly: true, coolDown: retryAfter ?? 'unnamed' };
  if (overloadStatuses.has(status)) return { ...channelFault, coolDown: retryAfter };
  if (status >= 500) return channelFault;
  return keyStatuses.has(status) || accountFault === true ? { ...nothing, keyOnly: true } : nothing;
}

const longestCause = 200;

/**
 * In a few words, for administrators: the upstream's status and message, keys masked, or our code.
 */
export function causeOf(failure: Failure): string {
  if (failure.from === 'gateway') return failure.error.code;
  const { status, message = '' } = failure.error;
  return `${status} ${maskMessage(message)}`.trim().slice(0, longestCause);
}
