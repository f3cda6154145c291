/** One attempt on one channel: how the request reaches it, and which way it is carried. */

import { ReplyFailure } from '../../canonical/kit/failure.ts';
import { streamsOnly } from '../../canonical/kit/streams-only.ts';
import type { Call, OperationAdapter, PassThrough, Target } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { buildCall, type UpstreamChannel } from '../../upstream/channel.ts';
import { checkFileAddresses } from '../files/file-addresses.ts';
import { type FileFetcher, inlineFiles } from '../files/inline-images.ts';
import { callFormat } from '../formats/calls.ts';
import { forwardFormat } from '../formats/forwards.ts';
import { geminiGenerateArray } from '../formats/gemini-generate/index.ts';
import { chatWireFormat } from '../formats/index.ts';
import { readChat } from '../formats/shared/read-chat.ts';
import { type Attempt, type AttemptResult, connectionFailed, gatewayFailed, type RelayJob, upstreamFailed } from '../job.ts';
import { passThroughsOf } from '../select/can-serve.ts';
import { shapingOfAttempt, withSystemPrompt, withThinkingAsText } from '../shape/index.ts';
import { attemptBytes } from './bytes-sink.ts';
import { attemptForward } from './forward-sink.ts';
import { readyEncoded, readyForwarded, renewsAuthorization, shapedEffects } from './prepare-request.ts';
import { withoutRefusedSignatures } from './refused-signatures.ts';
import { attemptTranslate } from './translate-sink.ts';
import { callAsStream, tryCall } from './try-call.ts';
import { chatAsStream, type WholeAsStream } from './whole-as-stream.ts';

interface Way {
  readonly target: Target;
  readonly rewrite: PassThrough<unknown>['rewrite'];
}

/** Where the caller's bytes go as they are; undefined: they are read and written anew. */
function wayOf(channel: UpstreamChannel, job: RelayJob, call: Call): Way | undefined {
  if (wantsArray(job)) return undefined;
  for (const entry of passThroughsOf(channel, job)) {
    const target = entry.target(job.body, call);
    if (target !== undefined) return { target, rewrite: entry.rewrite };
  }
  return undefined;
}

/** A Gemini caller who did not ask for SSE gets its stream as a JSON array, which is written, never passed through. */
function wantsArray(job: RelayJob): boolean {
  return job.format === 'gemini-generate' && job.stream && !/[?&]alt=sse\b/.test(job.clientPart.path);
}

async function tryTranslation(job: RelayJob, attempt: Attempt, call: Call, files: () => FileFetcher): Promise<AttemptResult> {
  const { rules, provider } = attempt.channel;
  const offered = provider.operations.chat as OperationAdapter<'chat'> | undefined;
  const format = wantsArray(job) ? geminiGenerateArray : chatWireFormat(job.format);
  if (offered === undefined || format === undefined) throw new AppError('unsupported_operation', { operation: job.operation });
  const adapter = withThinkingAsText(offered, job.format, rules);
  let request = withSystemPrompt(readChat(job), rules);
  if (streamsOnly(adapter, call.model)) request = { ...request, stream: true };
  checkFileAddresses(request, adapter.readsAddress);
  adapter.check?.(request, call);
  if (adapter.needsInlineImages) request = await inlineFiles(request, files, adapter.readsAddress);
  if (adapter.prepare !== undefined) request = await adapter.prepare(request, call, shapedEffects(job, attempt, call));
  const ready = await readyEncoded(job, attempt, call, adapter.encode(request, call));
  return attemptTranslate(job, ready.attempt, { adapter, format, request, call }, ready.request);
}

/** How a whole reply becomes the stream that was asked for; undefined where none was. */
function asStreamFor(job: RelayJob, call: Call, channel: UpstreamChannel, files: () => FileFetcher): WholeAsStream | undefined {
  if (!job.stream) return undefined;
  const format = callFormat(job.format);
  return format === undefined ? chatAsStream(job, call, channel) : callAsStream(job, call, channel, format, files);
}

/** Never throws: what goes wrong is a failed attempt, in the caller's hands or the next channel's. */
export async function tryChannel(job: RelayJob, attempt: Attempt, files: () => FileFetcher): Promise<AttemptResult> {
  const { channel, upstreamModel } = attempt;
  const call = buildCall(channel, upstreamModel, job.clientPart, job.policy.provider, job.deps.clock.now());
  const result = await tryOnce(job, attempt, call, files);
  if (result.kind !== 'failed' || result.failure.from !== 'upstream') return result;
  const { error } = result.failure;
  if (renewsAuthorization(job, attempt, call, error)) return tryOnce(job, attempt, call, files);
  const { passThrough } = shapingOfAttempt(job, attempt, call);
  const unproven = passThrough ? undefined : withoutRefusedSignatures(job, error);
  return unproven === undefined ? result : tryOnce(unproven, attempt, call, files);
}

async function tryOnce(job: RelayJob, attempt: Attempt, call: Call, files: () => FileFetcher): Promise<AttemptResult> {
  const { channel, upstreamModel } = attempt;
  try {
    const way = wayOf(channel, job, call);
    const forward = forwardFormat(job.format);
    if (way !== undefined && forward !== undefined) {
      const { target, rewrite } = way;
      const model = target.model ?? upstreamModel;
      const ready = await readyForwarded(job, attempt, call, target);
      const forwarding = { format: forward, request: ready.request, upstreamModel: model, rewrite };
      if (forward.plain === 'bytes' && !job.stream) return await attemptBytes(job, ready.attempt, forwarding);
      const asStream = asStreamFor(job, call, channel, files);
      return await attemptForward(job, ready.attempt, { ...forwarding, asStream });
    }
    const format = callFormat(job.format);
    return await (format === undefined ? tryTranslation(job, attempt, call, files) : tryCall(job, attempt, call, format, files));
  } catch (error) {
    if (job.client.left) return { kind: 'gone' };
    if (error instanceof ReplyFailure) return upstreamFailed(attempt, error.error);
    if (error instanceof AppError) return gatewayFailed(error);
    // Malformed inside, or nested beyond what can be walked.
    if (error instanceof SyntaxError || error instanceof RangeError)
      return gatewayFailed(new AppError('invalid_json', {}, { cause: error }));
    job.deps.logger.error({ error, requestId: job.requestId, channel: channel.id }, 'a request could not be carried');
    return connectionFailed('connect', new AppError('convert_request_failed', {}, { cause: error }));
  }
}
