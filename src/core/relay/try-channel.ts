/** One attempt on one channel: how the request reaches it, and which way it is carried. */
import { AppError } from '../kernel/errors.ts';
import type { JsonValue } from '../kernel/json.ts';
import type { ChatRequest, EmbeddingReply } from '../providers/canonical.ts';
import { ReplyFailure } from '../providers/kit/failure.ts';
import type { Call, OperationAdapter, PassThrough, Target, UpstreamRequest } from '../providers/provider.ts';
import { createEffects } from '../upstream/account.ts';
import { buildCall, type UpstreamChannel } from '../upstream/channel.ts';
import { attemptForward } from './attempt-forward.ts';
import { attemptTranslate } from './attempt-translate.ts';
import type { Body } from './body-fields.ts';
import { forwardFormat } from './forward/index.ts';
import { type FileFetcher, inlineFiles } from './inline-images.ts';
import {
  type Attempt,
  type AttemptResult,
  connectionFailed,
  gatewayFailed,
  type RelayJob,
  readProviderFailure,
  servedSteps,
  toWireRequest,
  upstreamFailed,
} from './job.ts';
import { promptText } from './prompt-text.ts';
import { idHeaders, sendJson } from './reply.ts';
import { geminiGenerateArray } from './wire-formats/gemini-generate.ts';
import { chatWireFormat } from './wire-formats/index.ts';
import { readEmbeddingRequest, writeEmbeddingReply } from './wire-formats/openai-embeddings.ts';

/** Whether a channel's provider can do what the job asks. */
export function canServe(channel: UpstreamChannel, job: Pick<RelayJob, 'operation' | 'format'>): boolean {
  const { operations } = channel.provider;
  if (job.operation === 'embedding') return operations.embedding !== undefined;
  const forwards = job.operation === 'completion' && operations.completion !== undefined;
  return forwards || (operations.chat !== undefined && chatWireFormat(job.format) !== undefined);
}

function passThroughOf(channel: UpstreamChannel, job: RelayJob): PassThrough<unknown> | undefined {
  const { operations } = channel.provider;
  const adapter =
    job.operation === 'embedding'
      ? operations.embedding
      : job.operation === 'completion'
        ? operations.completion
        : operations.chat;
  return adapter?.passThrough?.find((entry) => entry.format === job.format);
}

/** A Gemini caller who did not ask for SSE gets its stream as a JSON array, which is written, never passed through. */
function wantsArray(job: RelayJob): boolean {
  return job.format === 'gemini-generate' && job.stream && !/[?&]alt=sse\b/.test(job.clientPart.path);
}

/** Credentials that need HTTP or a clock, where the provider wants them. */
async function authorize(job: RelayJob, attempt: Attempt, call: Call, request: UpstreamRequest): Promise<UpstreamRequest> {
  const { provider, proxy } = attempt.channel;
  if (provider.authorize === undefined) return request;
  return provider.authorize(request, call, createEffects(job.parts.upstream, job.parts.clock, proxy, job.client.signal()));
}

/** The caller's bytes with what must change in them; nothing changes where the site passes everything through. */
function forwardedBody(job: RelayJob, attempt: Attempt, target: Target): Buffer {
  if (job.policy.passThroughAll) return job.body.bytes;
  const model = target.model ?? attempt.upstreamModel;
  const edits: Record<string, JsonValue | undefined> = { ...target.edits };
  if (target.modelInUrl !== true && model !== job.body.get('model')) edits['model'] = model;
  Object.assign(edits, attempt.channel.paramOverride);
  return job.body.edit(edits);
}

/** Top-level override of the converted body (`param_override`). */
function overrideParams(request: UpstreamRequest, channel: UpstreamChannel): UpstreamRequest {
  const { body } = request;
  if (channel.paramOverride === undefined || typeof body !== 'object' || body === null) return request;
  if (Array.isArray(body) || body instanceof Uint8Array) return request;
  return { ...request, body: { ...body, ...channel.paramOverride } };
}

/** The canonical form of the caller's chat, read once however many channels are tried. */
const readRequests = new WeakMap<Body, ChatRequest>();

function readChat(job: RelayJob): ChatRequest {
  let request = readRequests.get(job.body);
  if (request === undefined) {
    const format = chatWireFormat(job.format);
    if (format === undefined) throw new AppError('unsupported_operation', { operation: job.operation });
    request = format.readRequest(job.body.parse(), { model: job.model, stream: job.stream });
    readRequests.set(job.body, request);
  }
  return request;
}

/** `setting.system_prompt` first, when the caller sent no system message of its own (spec, console-api 6.1). */
function withSystemPrompt(request: ChatRequest, prompt: string): ChatRequest {
  if (prompt === '' || request.messages.some((message) => message.role === 'system')) return request;
  return { ...request, messages: [{ role: 'system', content: [{ type: 'text', text: prompt }] }, ...request.messages] };
}

async function tryTranslation(job: RelayJob, attempt: Attempt, call: Call, files: () => FileFetcher): Promise<AttemptResult> {
  const adapter = attempt.channel.provider.operations.chat as OperationAdapter<'chat'> | undefined;
  const format = wantsArray(job) ? geminiGenerateArray : chatWireFormat(job.format);
  if (adapter === undefined || format === undefined) throw new AppError('unsupported_operation', { operation: job.operation });
  let request = withSystemPrompt(readChat(job), attempt.channel.systemPrompt);
  if (adapter.needsInlineImages) request = await inlineFiles(request, files());
  const encoded = overrideParams(adapter.encode(request, call), attempt.channel);
  return attemptTranslate(job, attempt, { adapter, format, request, call }, await authorize(job, attempt, call, encoded));
}

async function tryEmbedding(job: RelayJob, attempt: Attempt, call: Call): Promise<AttemptResult> {
  const adapter = attempt.channel.provider.operations.embedding as OperationAdapter<'embedding'> | undefined;
  if (adapter === undefined) throw new AppError('unsupported_operation', { operation: job.operation });
  const request = readEmbeddingRequest(job.body.parse());
  const encoded = await authorize(job, attempt, call, overrideParams(adapter.encode(request, call), attempt.channel));
  const { parts } = job;
  const reply = await parts.upstream.collect(
    toWireRequest(job, attempt, encoded),
    parts.limits.maxReplyBytes,
    job.client.signal(),
  );
  if (reply.status !== 200) return upstreamFailed(attempt, readProviderFailure(attempt.channel.provider, reply));
  const decoded: EmbeddingReply = adapter.decode(JSON.parse(reply.bytes.toString('utf8')), call);
  await job.bill.settle({
    channel: attempt.channel,
    upstreamModel: attempt.upstreamModel,
    usage: { completionTokens: 0, ...decoded.usage },
    texts: () => ({ prompt: promptText(job.body), completion: '' }),
    stream: false,
    steps: servedSteps(attempt, parts.clock.now()),
  });
  sendJson(job.response, 200, writeEmbeddingReply(decoded, request, job.model), idHeaders(job.requestId));
  return { kind: 'served' };
}

/** Never throws: what goes wrong is a failed attempt, in the caller's hands or the next channel's. */
export async function tryChannel(job: RelayJob, attempt: Attempt, files: () => FileFetcher): Promise<AttemptResult> {
  const { channel, upstreamModel } = attempt;
  const call = buildCall(channel, upstreamModel, job.clientPart, job.policy.provider, job.parts.clock.now());
  try {
    const entry = channel.systemPrompt === '' && !wantsArray(job) ? passThroughOf(channel, job) : undefined;
    const forward = forwardFormat(job.format);
    const target = entry?.target(job.body, call);
    if (target !== undefined && forward !== undefined) {
      const request = {
        method: 'POST',
        url: target.url,
        headers: target.headers,
        body: forwardedBody(job, attempt, target),
      } as const;
      return await attemptForward(
        job,
        attempt,
        forward,
        await authorize(job, attempt, call, request),
        target.model ?? upstreamModel,
      );
    }
    return await (job.operation === 'embedding' ? tryEmbedding(job, attempt, call) : tryTranslation(job, attempt, call, files));
  } catch (error) {
    if (job.client.left) return { kind: 'gone' };
    if (error instanceof ReplyFailure) return upstreamFailed(attempt, error.error);
    if (error instanceof AppError) return gatewayFailed(error);
    if (error instanceof SyntaxError) return gatewayFailed(new AppError('invalid_json', {}, { cause: error }));
    job.parts.logger.error({ error, requestId: job.requestId, channel: channel.id }, 'a request could not be carried');
    return connectionFailed('connect', new AppError('convert_request_failed', {}, { cause: error }));
  }
}
