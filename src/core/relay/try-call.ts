/** A call that is no conversation, on a provider that does not speak the caller's format: read, asked, written. */
import { AppError } from '../kernel/errors.ts';
import { parseJson } from '../kernel/json.ts';
import type { Operations } from '../providers/canonical.ts';
import type { Call, OperationAdapter } from '../providers/provider.ts';
import { headerText } from '../upstream/send.ts';
import { audioSeconds } from './audio-length.ts';
import type { FileFetcher } from './inline-images.ts';
import {
  type Attempt,
  type AttemptResult,
  type RelayJob,
  readProviderFailure,
  servedSteps,
  toWireRequest,
  upstreamFailed,
} from './job.ts';
import { readyEncoded, shapedEffects } from './prepare-request.ts';
import { promptText } from './prompt-text.ts';
import { sendWritten } from './reply.ts';
import type { RequestBody } from './request-body.ts';
import type { CallFormat, CallOperation } from './wire-formats/call-format.ts';
import type { AnyCallFormat } from './wire-formats/calls.ts';

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

/** The upstream's answer decoded, or the failed attempt that it was. */
async function ask<O extends CallOperation>(
  job: RelayJob,
  attempt: Attempt,
  call: Call,
  adapter: OperationAdapter<O>,
  request: Operations[O]['request'],
): Promise<Operations[O]['reply'] | AttemptResult> {
  if (adapter.perform !== undefined) return adapter.perform(request, call, shapedEffects(job, attempt, call));
  const { upstream, limits } = job.parts;
  const ready = await readyEncoded(job, attempt, call, adapter.encode(request, call));
  const reply = await upstream.collect(toWireRequest(job, attempt, ready.request), limits.maxReplyBytes, job.client.signal());
  if (reply.status < 200 || reply.status > 299)
    return upstreamFailed(attempt, readProviderFailure(attempt.channel.provider, reply));
  const mediaType = headerText(reply.headers, 'content-type');
  const raw = adapter.replyType === 'bytes' && !/^application\/(\w+\+)?json\b/i.test(mediaType);
  return adapter.decode(raw ? { mediaType, bytes: reply.bytes } : parseJson(reply.bytes.toString('utf8').trim()), call, request);
}

function isResult(answer: object): answer is AttemptResult {
  return 'kind' in answer;
}

/** How long the speech is that was made, where that is charged. */
async function spokenSeconds(job: RelayJob, reply: Operations[CallOperation]['reply']): Promise<number | undefined> {
  if (!('bytes' in reply) || !job.bill.countsSpeech) return undefined;
  return audioSeconds({ filename: '', ...reply });
}

async function serve<O extends CallOperation>(
  job: RelayJob,
  attempt: Attempt,
  call: Call,
  format: CallFormat<O>,
  files: () => FileFetcher,
): Promise<AttemptResult> {
  const adapter = attempt.channel.provider.operations[format.operation] as OperationAdapter<O> | undefined;
  if (adapter === undefined) throw new AppError('unsupported_operation', { operation: job.operation });
  const request = await readOnce(job, format, files);
  const reply = await ask(job, attempt, call, adapter, request);
  if (isResult(reply)) return reply;
  const { body, model, route, stream, parts } = job;
  const created = Math.floor(job.startedAt / 1000);
  const written = await format.writeReply(reply, request, { body, model, path: route.path, stream, created, files });
  await job.bill.settle({
    channel: attempt.channel,
    upstreamModel: attempt.upstreamModel,
    usage: reply.usage,
    pictures: format.pictures?.(reply),
    spokenSeconds: await spokenSeconds(job, reply),
    texts: () => ({ prompt: promptText(body), completion: '' }),
    stream,
    steps: servedSteps(attempt, parts.clock.now()),
  });
  sendWritten(job.response, written, job.requestId);
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
