/**
 * A forwarded reply in one piece: its usage is read, then it is charged and sent on, or written as
 * the stream that was requested.
 */
import type { Usage } from '../../canonical/usage.ts';
import type { CollectedReply } from '../../upstream/exchange.ts';
import type { Attempt, AttemptOutcome, AttemptResult } from '../attempt.ts';
import type { RelayJob } from '../job.ts';
import { sendWritten } from '../reply.ts';
import { type Forwarding, forwardOutcome } from './forwarding.ts';
import { replyFailed } from './translated-reply.ts';
import { readWholeReply, sendWholeReply } from './whole-reply.ts';

/** How an attempt ends: it failed, or `send` follows its settlement. */
export type WholeEnd =
  | { readonly failed: AttemptResult }
  | {
      readonly failed?: undefined;
      readonly outcome: AttemptOutcome;
      readonly send: (usage: Usage | undefined) => void;
    };

/** Never throws; a promise, which never rejects, where a stream has to be written. */
export function endOfWhole(
  job: RelayJob,
  attempt: Attempt,
  forwarding: Forwarding,
  given: CollectedReply,
): WholeEnd | Promise<WholeEnd> {
  const { asStream } = forwarding;
  const read = readWholeReply(attempt, { ...forwarding, operation: job.format.operation }, given);
  if (read.failed !== undefined) return { failed: read.failed };
  const { reply, usage, images, generated } = read;
  const outcome = { ...forwardOutcome(job, attempt, forwarding, usage, generated), images };
  const { response, requestId } = job;
  if (asStream === undefined)
    return { outcome, send: () => sendWholeReply(response, reply, requestId) };
  const firstByteAt = job.deps.clock.now();
  return Promise.resolve()
    .then(() => asStream(reply))
    .then((write): WholeEnd => {
      const send = (charged: Usage | undefined) => sendWritten(response, write(charged), requestId);
      return { outcome: { ...outcome, stream: true, firstByteAt }, send };
    })
    .catch((error: unknown): WholeEnd => ({ failed: replyFailed(attempt, error) }));
}
