/**
 * The last step of every answer: first the charge, then the end of the reply
 * (docs/rules/streams.md#end-waits-for-settlement), where it is stored after that
 * (docs/rules/responses.md#stored).
 */
import type { Usage } from '../../canonical/usage.ts';
import type { AttemptOutcome } from '../attempt.ts';
import { asAppError, describeToCaller } from '../failure.ts';
import type { RelayJob } from '../job.ts';
import { sendError } from '../reply.ts';

type SettledJob = Pick<
  RelayJob,
  'bill' | 'deps' | 'kept' | 'language' | 'requestId' | 'response' | 'route'
>;

/**
 * Charges; once that is on disk, `send` sends the end of the answer, given the usage that was
 * charged. Never rejects: once the bill is closed no other channel may be tried. An answer that
 * cannot be charged is an error to its caller where nothing of it was sent; else it ends with its
 * connection.
 */
export async function settleThenSend(
  job: SettledJob,
  outcome: AttemptOutcome,
  send: (usage: Usage | undefined) => void,
): Promise<void> {
  const { bill, deps, kept, requestId, response, route } = job;
  try {
    send(await bill.settle(outcome));
    await kept?.();
  } catch (error) {
    deps.logger.error({ error, requestId }, 'an answer could not be settled');
    if (response.headersSent) response.destroy();
    else
      sendError(
        response,
        route.family,
        describeToCaller({ from: 'gateway', error: asAppError(error) }, job),
        requestId,
      );
  }
}
