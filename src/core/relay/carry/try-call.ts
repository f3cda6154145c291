/**
 * A call that is no conversation, on a provider that does not speak the caller's format:
 * translated.
 */

import type { Operations } from '../../canonical/calls.ts';
import type { Call, OperationAdapter } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { parseJson } from '../../kernel/json.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';
import { type CollectedReply, headerText } from '../../upstream/exchange.ts';
import type { AttemptOutcome } from '../attempt.ts';
import { type Attempt, type AttemptResult, servedSteps, upstreamFailed } from '../attempt.ts';
import type { RequestBody } from '../body/request-body.ts';
import { sidesToCount } from '../charge/countable-request.ts';
import { audioSeconds } from '../files/audio-length.ts';
import type { FileFetcher } from '../files/file-fetcher.ts';
import type { CallOperation, CallReplyContext } from '../formats/shared/call-reply.ts';
import type { AnyCallFormat, CallFormat } from '../formats/shared/caller-format.ts';
import type { RelayJob } from '../job.ts';
import { sendWritten } from '../reply.ts';
import { readyEncoded, shapedEffects } from './prepare-request.ts';
import { checkValues, replyLimit } from './reply-limits.ts';
import { settleThenSend } from './settle-then-send.ts';
import { readProviderFailure, toWireRequest } from './upstream-reply.ts';
import type { WholeAsStream } from './whole-as-stream.ts';

/** The canonical form of a body, read once however many channels are tried. */
const readRequests = new WeakMap<RequestBody, Promise<Operations[CallOperation]['request']>>();

function readOnce<O extends CallOperation>(
  job: RelayJob,
  format: CallFormat<O>,
  files: () => FileFetcher,
): Promise<Operations[O]['request']> {
  let request = readRequests.get(job.body) as Promise<Operations[O]['request']> | undefined;
  if (request === undefined) {
    const { model, route, body } = job;
    request = Promise.resolve(format.readRequest(body, { model, path: route.path }, files));
    readRequests.set(body, request);
  }
  return request;
}

/** The upstream's reply decoded, or the failed attempt that it was. */
async function perform<O extends CallOperation>(
  job: RelayJob,
  attempt: Attempt,
  call: Call,
  adapter: OperationAdapter<O>,
  request: Operations[O]['request'],
): Promise<Operations[O]['reply'] | AttemptResult> {
  if (adapter.perform !== undefined)
    return adapter.perform(request, call, shapedEffects(job, attempt, call));
  const ready = await readyEncoded(job, attempt, call, adapter.encode(request, call));
  const wire = toWireRequest(job, attempt, ready.request);
  const claim = (bytes: number) => job.memory.takeReply(bytes);
  const reply = await job.deps.upstream.collect(wire, replyLimit(job), job.client.signal(), claim);
  if (reply.status < 200 || reply.status > 299)
    return upstreamFailed(attempt, readProviderFailure(attempt.channel.provider, reply));
  return decode(reply, job.format.operation as O, call, adapter, request);
}

/** Bytes for adapters that take them, unless it is JSON after all: an error. */
function decode<O extends CallOperation>(
  { headers, bytes }: CollectedReply,
  operation: CallOperation,
  call: Call,
  adapter: OperationAdapter<O>,
  request: Operations[O]['request'],
): Operations[O]['reply'] {
  const mediaType = headerText(headers, 'content-type');
  const raw = adapter.replyType === 'bytes' && !/^application\/(\w+\+)?json\b/i.test(mediaType);
  if (raw) return adapter.decode({ mediaType, bytes }, call, request);
  checkValues(bytes, operation);
  return adapter.decode(parseJson(bytes.toString('utf8').trim()), call, request);
}

function isResult(reply: object): reply is AttemptResult {
  return 'kind' in reply;
}

/** Seconds of generated speech, where they are charged. */
async function spokenSeconds(
  job: RelayJob,
  reply: Operations[CallOperation]['reply'],
): Promise<number | undefined> {
  if (!('bytes' in reply) || !job.bill.countsSpeech) return undefined;
  return audioSeconds({ filename: '', ...reply });
}

function adapterOf<O extends CallOperation>(
  { provider }: UpstreamChannel,
  format: CallFormat<O>,
): OperationAdapter<O> {
  const adapter = provider.operations[format.operation] as OperationAdapter<O> | undefined;
  if (adapter === undefined)
    throw new AppError('unsupported_operation', { operation: format.operation });
  return adapter;
}

function replyContext(
  { body, model, route, stream, startedAt }: RelayJob,
  files: () => FileFetcher,
): CallReplyContext {
  return { body, model, path: route.path, stream, created: Math.floor(startedAt / 1000), files };
}

async function serve<O extends CallOperation>(
  job: RelayJob,
  attempt: Attempt,
  call: Call,
  format: CallFormat<O>,
  files: () => FileFetcher,
): Promise<AttemptResult> {
  const request = await readOnce(job, format, files);
  const reply = await perform(job, attempt, call, adapterOf(attempt.channel, format), request);
  if (isResult(reply)) return reply;
  const written = await format.writeReply(reply, request, replyContext(job, files));
  const outcome: AttemptOutcome = {
    channel: attempt.channel,
    upstreamModel: attempt.upstreamModel,
    usage: reply.usage,
    images: format.images?.(reply),
    spokenSeconds: await spokenSeconds(job, reply),
    ...sidesToCount(job),
    stream: job.stream,
    steps: servedSteps(attempt, job.deps.clock.now()),
  };
  await settleThenSend(job, outcome, () => sendWritten(job.response, written, job.requestId));
  return { kind: 'served' };
}

/** Throws what adapters throw; nothing has reached the client then. */
export function tryCall(
  job: RelayJob,
  attempt: Attempt,
  call: Call,
  format: AnyCallFormat,
  files: () => FileFetcher,
): Promise<AttemptResult> {
  return serve(job, attempt, call, format as CallFormat<CallOperation>, files);
}

/** A forwarded reply in one piece, written as the events that were requested. */
export function callAsStream(
  job: RelayJob,
  call: Call,
  channel: UpstreamChannel,
  given: AnyCallFormat,
  files: () => FileFetcher,
): WholeAsStream {
  const format = given as CallFormat<CallOperation>;
  return async (reply) => {
    const request = await readOnce(job, format, files);
    const decoded = decode(reply, format.operation, call, adapterOf(channel, format), request);
    const written = await format.writeReply(decoded, request, replyContext(job, files));
    return () => written;
  };
}
