/**
 * Why a stream ended before its answer was complete, and the error that its caller gets
 * (docs/rules/streams.md#broken-streams).
 */
import type { ProviderError } from '../../canonical/chat-reply.ts';
import { AppError } from '../../kernel/errors.ts';
import type { FailureKind } from '../../upstream/exchange.ts';
import { type Attempt, type AttemptOutcome, connectionError, upstreamFailure } from '../attempt.ts';
import { describeToCaller, type Failure, type FinalError } from '../failure.ts';
import type { RelayJob } from '../job.ts';

export interface StreamBreak {
  readonly ended: NonNullable<AttemptOutcome['ended']>;
  readonly failure: Failure;
}

function ourBreak(ended: StreamBreak['ended'], error: AppError): StreamBreak {
  return { ended, failure: { from: 'gateway', error } };
}

/** The upstream closed in good order, without the end of the format. */
export function missingEnd(): StreamBreak {
  return ourBreak('upstream_cut', new AppError('upstream_cut'));
}

export function brokenConnection(kind: FailureKind, error: Error): StreamBreak {
  return ourBreak(
    kind === 'idle-timeout' ? 'idle_timeout' : 'upstream_cut',
    connectionError(kind, error),
  );
}

/** The upstream itself reported an error. One without a message has our words. */
export function reportedError(attempt: Attempt, error: ProviderError): StreamBreak {
  if (error.message === undefined) return missingEnd();
  return { ended: 'upstream_cut', failure: upstreamFailure(attempt, error) };
}

export function gatewayStopped(): StreamBreak {
  return ourBreak('gateway_stopped', new AppError('shutting_down'));
}

export function describeBreak({ failure }: StreamBreak, job: RelayJob): FinalError {
  return describeToCaller(failure, job);
}
