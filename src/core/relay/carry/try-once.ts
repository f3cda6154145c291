/** One request to one channel: its bytes are passed through, or it is translated. */
import { ReplyFailure } from '../../canonical/kit/failure.ts';
import { pairResults } from '../../canonical/kit/paired-results.ts';
import { streamsOnly } from '../../canonical/kit/streams-only.ts';
import type { PassThrough, ReplyReader, Target } from '../../canonical/pass-through.ts';
import type { Call, OperationAdapter } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';
import {
  type Attempt,
  type AttemptResult,
  connectionFailed,
  cutOff,
  gatewayFailed,
  upstreamFailed,
} from '../attempt.ts';
import { checkFileAddresses } from '../files/file-addresses.ts';
import type { FileFetcher } from '../files/file-fetcher.ts';
import { inlineFiles } from '../files/inline-files.ts';
import { readChat } from '../formats/shared/read-chat.ts';
import type { RelayJob } from '../job.ts';
import { passThroughsOf } from '../select/can-serve.ts';
import {
  shapingOfAttempt,
  withSystemPrompt,
  withTakenTools,
  withThinkingAsText,
} from '../shape/index.ts';
import { attemptForward } from './attempt-forward.ts';
import { attemptBytes } from './bytes-sink.ts';
import { withEarlierThinking } from './forwarded-turn.ts';
import type { Forwarding } from './forwarding.ts';
import { readyEncoded, readyForwarded, shapedEffects } from './prepare-request.ts';
import { withoutForeignSignatures } from './refused-signatures.ts';
import { attemptTranslate } from './translate-sink.ts';
import { callAsStream, tryCall } from './try-call.ts';
import { conversationAsStream, type WholeAsStream } from './whole-as-stream.ts';

interface PassThroughRoute {
  readonly target: Target;
  readonly rewrite: PassThrough<unknown>['rewrite'];
  /** Reads the reply's thinking, where that is remembered. */
  readonly thinking: ReplyReader | undefined;
}

/** Where the caller's bytes are sent unchanged; undefined: they are translated. */
export function passThroughRoute(
  channel: UpstreamChannel,
  job: RelayJob,
  call: Call,
): PassThroughRoute | undefined {
  if (job.format.forward === undefined) return undefined;
  for (const entry of passThroughsOf(channel, job.format)) {
    const target = entry.target(job.body, call);
    if (target !== undefined)
      return { target, rewrite: entry.rewrite, thinking: entry.thinking?.(call) };
  }
  return undefined;
}

async function tryTranslation(
  job: RelayJob,
  attempt: Attempt,
  call: Call,
  files: () => FileFetcher,
): Promise<AttemptResult> {
  const { rules, provider } = attempt.channel;
  const { format } = job;
  const offered = provider.operations.chat as OperationAdapter<'chat'> | undefined;
  if (offered === undefined || format.kind !== 'conversation')
    throw new AppError('unsupported_operation', { operation: format.operation });
  const adapter = withThinkingAsText(offered, format, rules);
  const { channel } = attempt;
  let request = withSystemPrompt(readChat(format, job), rules);
  request = pairResults(await job.deps.thinking.restore(job, channel, request));
  if (streamsOnly(adapter, call.model)) request = { ...request, stream: true };
  request = withTakenTools(request, adapter, call, rules);
  checkFileAddresses(request, adapter.readsAddress);
  adapter.check?.(request, call);
  if (adapter.needsInlineImages) request = await inlineFiles(request, files, adapter.readsAddress);
  if (adapter.prepare !== undefined)
    request = await adapter.prepare(request, call, shapedEffects(job, attempt, call));
  const ready = await readyEncoded(job, attempt, call, adapter.encode(request, call));
  return attemptTranslate(job, ready.attempt, { adapter, format, request, call }, ready.request);
}

/** How a reply in one piece becomes the stream that was requested; undefined where none was. */
function asStreamFor(
  job: RelayJob,
  call: Call,
  channel: UpstreamChannel,
  files: () => FileFetcher,
): WholeAsStream | undefined {
  if (!job.stream) return undefined;
  return job.format.kind === 'call'
    ? callAsStream(job, call, channel, job.format, files)
    : conversationAsStream(job, call, channel);
}

async function tryForward(
  job: RelayJob,
  attempt: Attempt,
  call: Call,
  { target, rewrite }: PassThroughRoute,
  files: () => FileFetcher,
  thinking?: Forwarding['thinking'],
): Promise<AttemptResult> {
  const { forward: format } = job.format;
  if (format === undefined)
    throw new AppError('unsupported_operation', { operation: job.format.operation });
  const upstreamModel = target.model ?? attempt.upstreamModel;
  const ready = await readyForwarded(job, attempt, call, target);
  const inBytes = format.plain === 'bytes' && !job.stream;
  const asStream = inBytes ? undefined : asStreamFor(job, call, attempt.channel, files);
  const forwarding: Forwarding = {
    format,
    request: ready.request,
    upstreamModel,
    rewrite,
    thinking,
    asStream,
  };
  return inBytes
    ? attemptBytes(job, ready.attempt, forwarding)
    : attemptForward(job, ready.attempt, forwarding);
}

/** The vendor wants earlier thinking back: what the client did not return is put in its place. */
async function tryRemembering(
  given: RelayJob,
  attempt: Attempt,
  call: Call,
  route: PassThroughRoute & { readonly thinking: ReplyReader },
  files: () => FileFetcher,
): Promise<AttemptResult> {
  const { channel } = attempt;
  const { passThrough } = shapingOfAttempt(given, attempt, call);
  if (passThrough || !given.deps.thinking.remembers(given))
    return tryForward(given, attempt, call, route, files);
  const { job, messages } = await withEarlierThinking(given, channel);
  const changed = job === given ? route : (passThroughRoute(channel, job, call) ?? route);
  return tryForward(job, attempt, call, changed, files, { reader: route.thinking, messages });
}

/** A body in its own format that came from another account, as this one takes it. */
function unsignedForward(job: RelayJob, attempt: Attempt, call: Call): RelayJob | undefined {
  if (attempt.foreignMessages === undefined || shapingOfAttempt(job, attempt, call).passThrough)
    return undefined;
  return withoutForeignSignatures(job, attempt);
}

/** Never throws: whatever goes wrong is a failed attempt. */
export async function tryOnce(
  job: RelayJob,
  attempt: Attempt,
  call: Call,
  files: () => FileFetcher,
): Promise<AttemptResult> {
  const { channel } = attempt;
  try {
    const route = passThroughRoute(channel, job, call);
    const own = route === undefined ? undefined : unsignedForward(job, attempt, call);
    if (own !== undefined)
      return await tryOnce(own, { ...attempt, foreignMessages: undefined }, call, files);
    if (route?.thinking !== undefined)
      return await tryRemembering(
        job,
        attempt,
        call,
        { ...route, thinking: route.thinking },
        files,
      );
    if (route !== undefined) return await tryForward(job, attempt, call, route, files);
    const { format } = job;
    if (format.kind === 'call') return await tryCall(job, attempt, call, format, files);
    return await tryTranslation(job, attempt, call, files);
  } catch (error) {
    if (job.client.departure !== undefined) return cutOff(job.client.departure);
    if (error instanceof ReplyFailure) return upstreamFailed(attempt, error.error);
    if (error instanceof AppError) return gatewayFailed(error);
    // Malformed inside, or nested too deep.
    if (error instanceof SyntaxError || error instanceof RangeError)
      return gatewayFailed(new AppError('invalid_json', {}, { cause: error }));
    job.deps.logger.error(
      { error, requestId: job.requestId, channel: channel.id },
      'a request could not be carried',
    );
    return connectionFailed(
      'connect',
      new AppError('convert_request_failed', {}, { cause: error }),
    );
  }
}
