/** What a translated reply is charged by. */
import type { Usage } from '../../canonical/usage.ts';
import type { GeneratedText } from '../../metering/countable.ts';
import { type Attempt, type AttemptOutcome, servedSteps } from '../attempt.ts';
import { sidesToCount } from '../charge/countable-request.ts';
import type { RelayJob } from '../job.ts';
import { withHiddenThinking } from './hidden-thinking.ts';
import type { PartTally, Translation } from './translated-reply.ts';

/** The outcome of a reply in one piece. */
export function translatedOutcome(
  job: RelayJob,
  attempt: Attempt,
  { request }: Translation,
  usage: Usage | undefined,
  generated: () => GeneratedText,
): AttemptOutcome {
  return {
    channel: attempt.channel,
    upstreamModel: attempt.upstreamModel,
    usage,
    ...sidesToCount(job, generated),
    stream: false,
    steps: servedSteps(attempt, job.deps.clock.now()),
    reasoningEffort: attempt.reasoningEffort ?? request.reasoning?.effort,
  };
}

/** The outcome of a stream so far. `ended`: why it ended early; undefined: it is complete. */
export function translatedStreamOutcome(
  job: RelayJob,
  attempt: Attempt,
  translation: Translation,
  { usage, generated }: Pick<PartTally, 'usage' | 'generated'>,
  stream: { readonly firstByteAt: number; readonly ended: AttemptOutcome['ended'] },
): AttemptOutcome {
  const { firstByteAt, ended } = stream;
  const reasoningEffort = attempt.reasoningEffort ?? translation.request.reasoning?.effort;
  const answered = { upstreamModel: attempt.upstreamModel, firstByteAt, reasoningEffort };
  const shown = () =>
    ended === undefined ? generated : withHiddenThinking(job, attempt, answered, generated);
  const outcome = translatedOutcome(job, attempt, translation, usage, shown);
  return { ...outcome, stream: true, firstByteAt, ...(ended === undefined ? {} : { ended }) };
}
