/** What a failed attempt says about the channel it was made on. */
import { errorTable } from '../../kernel/errors.ts';
import { type Failure, maskMessage } from '../failure.ts';

export interface FailureMeaning {
  /** The channel's own doing (5xx, no connection, silence, an answer that cannot be read): its circuit counts it. */
  readonly own: boolean;
  /** The key is at fault or at its limit: another key of the same channel may serve. */
  readonly keyOnly: boolean;
  /** It must rest for this model: for the seconds the upstream named, or `unnamed`. */
  readonly coolDown: number | 'unnamed' | undefined;
}

const nothing: FailureMeaning = { own: false, keyOnly: false, coolDown: undefined };
const channelFault: FailureMeaning = { own: true, keyOnly: false, coolDown: undefined };

/** Statuses about the account behind a key. */
const keyStatuses = new Set([401, 402, 403]);
/** Overloaded, where it comes with a time: as good as a 429. */
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

/** In a few words, for administrators: the upstream's status and message, keys masked, or our code. */
export function causeOf(failure: Failure): string {
  if (failure.from === 'gateway') return failure.error.code;
  const { status, message = '' } = failure.error;
  return `${status} ${maskMessage(message)}`.trim().slice(0, longestCause);
}
