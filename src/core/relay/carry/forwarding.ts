/** A request in the caller's own format, and what its reply is charged by. */
import type { ChatMessage } from '../../canonical/chat.ts';
import type { ReplyReader } from '../../canonical/pass-through.ts';
import type { UpstreamRequest } from '../../canonical/provider.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { GeneratedText } from '../../metering/countable.ts';
import { type Attempt, type AttemptOutcome, servedSteps } from '../attempt.ts';
import { sidesToCount } from '../charge/countable-request.ts';
import type { ForwardFormat } from '../formats/shared/forward-format.ts';
import type { RelayJob } from '../job.ts';
import type { ForwardedStream } from './forwarded-stream.ts';
import { withHiddenThinking } from './hidden-thinking.ts';
import type { Rewrite } from './stream-buffers.ts';
import type { WholeAsStream } from './whole-as-stream.ts';

export interface RememberedReply {
  readonly reader: ReplyReader;
  /** The conversation that is answered. */
  readonly messages: readonly ChatMessage[];
}

/** What is sent, and what is done with the reply. */
export interface Forwarding {
  readonly format: ForwardFormat;
  readonly request: UpstreamRequest;
  /** The name in the request. */
  readonly upstreamModel: string;
  readonly rewrite?: Rewrite;
  /** Reads the reply, whose thinking is remembered. Absent: it is not. */
  readonly thinking?: RememberedReply;
  /** For a reply in one piece to a caller who wants a stream. Absent: it is sent in one piece. */
  readonly asStream?: WholeAsStream;
}

/** The outcome of a reply in one piece. */
export function forwardOutcome(
  job: RelayJob,
  attempt: Attempt,
  { upstreamModel }: Pick<Forwarding, 'upstreamModel'>,
  usage: Usage | undefined,
  generated: () => GeneratedText,
): AttemptOutcome {
  return {
    channel: attempt.channel,
    upstreamModel,
    usage,
    ...sidesToCount(job, generated),
    stream: false,
    steps: servedSteps(attempt, job.deps.clock.now()),
    reasoningEffort: attempt.reasoningEffort,
    forwarded: true,
  };
}

/** The outcome of a stream so far. `ended`: why it ended early; undefined: it is complete. */
export function streamOutcome(
  job: RelayJob,
  attempt: Attempt,
  forwarding: Forwarding,
  stream: ForwardedStream,
  ended?: AttemptOutcome['ended'],
): AttemptOutcome {
  const { firstByteAt } = stream;
  const { upstreamModel } = forwarding;
  const { reasoningEffort } = attempt;
  const generated = () => {
    const shown = stream.generated();
    if (ended === undefined) return shown;
    return withHiddenThinking(job, attempt, { upstreamModel, firstByteAt, reasoningEffort }, shown);
  };
  if (attempt.reply !== undefined) stream.describe(attempt.reply);
  const outcome = forwardOutcome(job, attempt, forwarding, stream.usage, generated);
  // A client that leaves pays for all images it ordered: the last draft of an image is as good as
  // the image.
  const images = ended === 'client_gone' ? undefined : stream.images;
  return {
    ...outcome,
    stream: true,
    firstByteAt,
    images,
    ...(ended === undefined ? {} : { ended }),
  };
}
