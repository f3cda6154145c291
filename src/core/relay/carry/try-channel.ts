/**
 * One attempt on one channel, and what is tried on the same one where it refuses: without
 * signatures, without the oldest turns, with the conversation written out.
 */
import type { Call } from '../../canonical/provider.ts';
import { buildCall } from '../../upstream/channel.ts';
import { type Attempt, type AttemptResult, gatewayFailed } from '../attempt.ts';
import { readBody } from '../body/body-fields.ts';
import { asAppError } from '../failure.ts';
import type { FileFetcher } from '../files/file-fetcher.ts';
import type { Continuation, RelayJob } from '../job.ts';
import { holdingChannel } from '../select/holder.ts';
import { shapingOfAttempt } from '../shape/index.ts';
import { renewsAuthorization } from './prepare-request.ts';
import { withoutRefusedSignatures } from './refused-signatures.ts';
import { passThroughRoute, tryOnce } from './try-once.ts';

/** Never throws: whatever goes wrong is a failed attempt. */
export function tryChannel(
  job: RelayJob,
  attempt: Attempt,
  files: () => FileFetcher,
): Promise<AttemptResult> {
  const { continuation } = job;
  return continuation === undefined
    ? tryBody(job, attempt, files)
    : tryContinued(job, continuation, attempt, files);
}

async function tryContinued(
  job: RelayJob,
  continuation: Continuation,
  attempt: Attempt,
  files: () => FileFetcher,
): Promise<AttemptResult> {
  if (holdingChannel(attempt.channel, continuation) !== undefined) {
    const result = await tryBody(job, attempt, files);
    const unknown =
      result.kind === 'failed' &&
      result.failure.from === 'upstream' &&
      continuation.isUnknown(result.failure.error);
    if (!unknown) return result;
  }
  try {
    const body = await continuation.writeOut();
    const moved = attempt.channel.healthKeys.at(-1) !== continuation.healthKey;
    const foreignMessages = moved ? Number.POSITIVE_INFINITY : undefined;
    return await tryBody(
      { ...job, body, continuation: undefined },
      { ...attempt, foreignMessages },
      files,
    );
  } catch (error) {
    return gatewayFailed(asAppError(error));
  }
}

async function tryBody(
  job: RelayJob,
  attempt: Attempt,
  files: () => FileFetcher,
): Promise<AttemptResult> {
  const { channel, upstreamModel } = attempt;
  const call = buildCall(
    channel,
    upstreamModel,
    job.clientPart,
    job.policy.provider,
    job.deps.clock.now(),
  );
  const result = await tryOnce(job, attempt, call, files);
  if (result.kind !== 'failed' || result.failure.from !== 'upstream') return result;
  const { error } = result.failure;
  if (renewsAuthorization(job, attempt, call, error)) return tryOnce(job, attempt, call, files);
  const { passThrough } = shapingOfAttempt(job, attempt, call);
  const unsigned = passThrough ? undefined : withoutRefusedSignatures(job, error);
  if (unsigned !== undefined) return tryOnce(unsigned, attempt, call, files);
  return error.about === 'context' ? tryShorter(job, attempt, call, files, result) : result;
}

/** Times that a conversation is shortened, each time by a third. */
const mostCuts = 8;

/**
 * A translated conversation that the vendor found too long, without its oldest turns where the
 * caller wants it so (docs/rules/responses.md#truncation).
 */
async function tryShorter(
  given: RelayJob,
  attempt: Attempt,
  call: Call,
  files: () => FileFetcher,
  refused: AttemptResult,
): Promise<AttemptResult> {
  const { withoutOldest } = given.format;
  // A server of the caller's format shortens it itself.
  if (withoutOldest === undefined || passThroughRoute(attempt.channel, given, call) !== undefined)
    return refused;
  let job = given;
  let result = refused;
  for (let cut = 0; cut < mostCuts; cut++) {
    const edits = withoutOldest(job.body);
    const body = edits === undefined ? null : readBody(job.body.write(edits).bytes);
    if (body === null) return result;
    job = { ...job, body };
    result = await tryOnce(job, attempt, call, files);
    if (
      result.kind !== 'failed' ||
      result.failure.from !== 'upstream' ||
      result.failure.error.about !== 'context'
    )
      return result;
  }
  return result;
}
