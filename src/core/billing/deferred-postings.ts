import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { parseObject } from '../kernel/json.ts';
import type { Logger } from '../kernel/logger.ts';
import { toQuota } from '../kernel/quota.ts';
import type { DeferredPosting, Storage } from '../storage/storage.ts';
import type { Ledger, NewLog, PostingRequest } from './ledger.ts';

export type OwedPosting = Omit<PostingRequest, 'guard' | 'reference'> & {
  readonly reference: string;
};

/**
 * Postings that belong to a change of other rows (docs/rules/ledger.md#deferred-postings). The
 * change and what it owes to a wallet are committed together; the posting follows. Its reference
 * keeps it from being posted twice, and whatever a crash left is posted by the next start or by the
 * job `deferred-postings`.
 */
export interface DeferredPostings {
  /** Notes a posting in the transaction of the change that it belongs to. */
  note(inside: Pick<Storage, 'deferredPostings'>, posting: OwedPosting): Promise<void>;
  /**
   * Posts what was noted. Call it after the transaction. Never rejects, because what it belongs to
   * is committed: a failure is logged, and the note stays for the job.
   */
  post(posting: OwedPosting): Promise<void>;
  /**
   * Posts every note that is left. What the ledger refuses is logged and kept. Rejects at the end
   * where the program failed at one.
   */
  finish(signal?: AbortSignal): Promise<void>;
}

export interface DeferredPostingDeps {
  readonly storage: Pick<Storage, 'deferredPostings'>;
  readonly ledger: Pick<Ledger, 'post'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Notes are rare: only a crash or a refusal leaves one. */
const notesPerRead = 1000;

export function createDeferredPostings({
  storage,
  ledger,
  clock,
  logger,
}: DeferredPostingDeps): DeferredPostings {
  const { deferredPostings } = storage;

  const post = async (posting: OwedPosting): Promise<void> => {
    await ledger.post(posting);
    await deferredPostings.remove(posting);
  };

  const postNoted = async (noted: DeferredPosting): Promise<void> => {
    try {
      await post(readNote(noted));
    } catch (error) {
      // An account that was deleted for good has no wallet any more.
      if (error instanceof AppError && error.code === 'not_found')
        await deferredPostings.remove(noted);
      else logger.error({ error, posting: noted }, 'a deferred posting could not be written');
      if (!(error instanceof AppError)) throw error;
    }
  };

  return {
    note: (inside, { userId, kind, amount, reference, log }) =>
      inside.deferredPostings.insert({
        userId,
        kind,
        amount,
        reference,
        log: log === undefined ? '' : JSON.stringify(log),
        createdAt: nowSeconds(clock),
      }),
    post: async (posting) => {
      await post(posting).catch((error: unknown) =>
        logger.error({ error, posting }, 'a deferred posting could not be written yet'),
      );
    },
    finish: async (signal) => {
      const faults: unknown[] = [];
      let afterId = 0;
      for (;;) {
        const notes = await deferredPostings.list(notesPerRead, afterId);
        for (const noted of notes) {
          if (signal?.aborted) return;
          afterId = noted.id;
          await postNoted(noted).catch((error: unknown) => faults.push(error));
        }
        if (notes.length < notesPerRead) break;
      }
      if (faults.length > 0) throw faults[0];
    },
  };
}

function readNote({ userId, kind, amount, reference, log }: DeferredPosting): OwedPosting {
  const row = parseObject(log) as NewLog | undefined;
  return {
    userId,
    kind,
    amount: toQuota(amount),
    reference,
    ...(row !== undefined && { log: row }),
  };
}
