/**
 * The last step of every answer: first the charge, then the end of the reply (docs/rules/streams.md#end-waits-for-settlement), where it
 * is stored after that (docs/rules/responses.md#stored).
 */
import type { Usage } from '../../canonical/chat.ts';
import type { AttemptOutcome } from '../attempt.ts';
import type { RelayJob } from '../job.ts';

/**
 * Charges; once that is on disk, `send` sends the end of the answer, given the usage that was charged. Never rejects: once the
 * bill is closed no other channel may be tried, so an answer that cannot be charged or written ends with its connection.
 */
export async function settleThenSend(
  { bill, deps, requestId, response, kept }: Pick<RelayJob, 'bill' | 'deps' | 'requestId' | 'response' | 'kept'>,
  outcome: AttemptOutcome,
  send: (usage: Usage | undefined) => void,
): Promise<void> {
  try {
    send(await bill.settle(outcome));
    await kept?.();
  } catch (error) {
    deps.logger.error({ error, requestId }, 'an answer could not be settled');
    response.destroy();
  }
}
