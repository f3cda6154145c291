/**
 * An attempt in which the caller's wire format differs from the upstream's: read into the canonical form, written for the
 * provider, and back. Streams go event by event; their end waits for the settlement.
 */
import { AppError } from '../kernel/errors.ts';
import { parseJson } from '../kernel/json.ts';
import type { AssistantPart, ChatReply, ChatRequest, ProviderError, StreamPart, Usage } from '../providers/canonical.ts';
import { ReplyFailure } from '../providers/kit/failure.ts';
import { createFrameReader, type FrameReader } from '../providers/kit/frames.ts';
import { mergeUsage } from '../providers/kit/usage.ts';
import type { Call, OperationAdapter, StreamDecoder, UpstreamRequest } from '../providers/provider.ts';
import type { FailureKind, ResponseHeaders } from '../upstream/send.ts';
import { AttemptSink } from './attempt-sink.ts';
import type { Outcome } from './bill.ts';
import { asAppError, describeFailure, maskMessage } from './failure.ts';
import {
  type Attempt,
  type AttemptResult,
  connectionFailed,
  gatewayFailed,
  maxErrorBytes,
  type RelayJob,
  readProviderFailure,
  servedSteps,
  toWireRequest,
  upstreamFailed,
} from './job.ts';
import { promptText } from './prompt-text.ts';
import { corsHeaders, eventStreamHeaders, idHeaders, sendJson } from './reply.ts';
import type { ChatWireFormat, ReplyContext, StreamEncoder } from './wire-formats/wire-format.ts';

/** Characters of a stream's text kept to be counted where usage never comes. */
const keepLimit = 1024 * 1024;

export interface Translation {
  readonly adapter: OperationAdapter<'chat'>;
  readonly format: ChatWireFormat;
  readonly request: ChatRequest;
  readonly call: Call;
}

export function attemptTranslate(
  job: RelayJob,
  attempt: Attempt,
  translation: Translation,
  request: UpstreamRequest,
): Promise<AttemptResult> {
  return new Promise((resolve) => {
    const sink = new TranslateSink(job, attempt, translation, resolve);
    try {
      sink.begin(job.parts.upstream.send(toWireRequest(job, attempt, request), sink));
    } catch (error) {
      sink.fail('connect', error as Error);
    }
  });
}

function textOfPart(part: AssistantPart): string {
  if (part.type === 'tool-call') return part.name + part.arguments;
  return part.type === 'text' || part.type === 'reasoning' || part.type === 'refusal' ? part.text : '';
}

class TranslateSink extends AttemptSink {
  readonly #translation: Translation;
  readonly #context: ReplyContext;
  #status = 0;
  #headers: ResponseHeaders = {};
  #frames: FrameReader | null = null;
  #decoder: StreamDecoder | null = null;
  #encoder: StreamEncoder | null = null;
  #chunks: Buffer[] = [];
  #size = 0;
  /** Parts that came before anything worth sending. */
  #early: StreamPart[] = [];
  #opened = false;
  #firstByteAt = 0;
  #text = '';
  #usage: Usage | undefined;
  #finished = false;

  constructor(job: RelayJob, attempt: Attempt, translation: Translation, resolve: (result: AttemptResult) => void) {
    super(job, attempt, resolve);
    this.#translation = translation;
    this.#context = {
      id: job.parts.ids.alphanumeric(24),
      model: job.model,
      created: Math.floor(job.startedAt / 1000),
      includeUsage: job.includeUsage,
      estimatedPromptTokens: job.promptTokens,
      request: translation.request,
    };
  }

  start(status: number, headers: ResponseHeaders): void {
    this.#status = status;
    this.#headers = headers;
    const { adapter, call } = this.#translation;
    if (status !== 200 || !this.job.stream || adapter.createStreamDecoder === undefined) return;
    this.#frames = createFrameReader(adapter.framing ?? 'sse');
    this.#decoder = adapter.createStreamDecoder(call, this.#translation.request);
  }

  data(chunk: Buffer): void {
    if (this.#frames !== null && this.#decoder !== null) return this.#stream(chunk, this.#frames, this.#decoder);
    this.#size += chunk.length;
    this.#chunks.push(chunk);
    const limit = this.#status === 200 ? this.job.parts.limits.maxReplyBytes : maxErrorBytes;
    if (this.#size > limit) this.finish(gatewayFailed(new AppError('bad_response_body')), true);
  }

  #stream(chunk: Buffer, frames: FrameReader, decoder: StreamDecoder): void {
    try {
      const parts = frames.push(chunk).flatMap((event) => decoder.push(event));
      if (parts.length > 0) this.#take(parts);
    } catch (error) {
      this.fail('reset', asAppError(error));
    }
  }

  /** Sends what the parts say; errors before the first byte leave the reply to another channel. */
  #take(parts: readonly StreamPart[]): void {
    if (this.over) return;
    for (const part of parts) {
      if (part.type === 'error') return this.#streamFailed(part.error);
      this.#note(part);
    }
    if (!this.#opened) {
      this.#early.push(...parts);
      // Only usage and a greeting so far: an error may still follow, and another channel may still serve.
      if (this.#early.every((part) => part.type === 'start' || part.type === 'usage')) return;
      this.#open();
      return this.#send(this.#early);
    }
    this.#send(parts);
  }

  #note(part: StreamPart): void {
    if (part.type === 'usage') this.#usage = mergeUsage(this.#usage, part.usage);
    else if (part.type === 'finish') this.#finished = true;
    else if (this.#text.length > keepLimit) return;
    else if (part.type === 'text-delta' || part.type === 'reasoning-delta' || part.type === 'refusal-delta')
      this.#text += part.text;
    else if (part.type === 'tool-call-delta') this.#text += (part.name ?? '') + part.arguments;
  }

  #open(): void {
    this.#opened = true;
    this.#firstByteAt = this.job.parts.clock.now();
    const { response, requestId } = this.job;
    const { format } = this.#translation;
    this.#encoder = format.createStreamEncoder(this.#context);
    response.writeHead(200, {
      ...corsHeaders,
      ...idHeaders(requestId),
      ...eventStreamHeaders,
      'content-type': format.streamContentType,
    });
    this.startPings(format.keepAlive);
  }

  #send(parts: readonly StreamPart[]): void {
    let text = '';
    for (const part of parts) text += this.#encoder?.push(part) ?? '';
    if (text === '') return;
    this.write(text);
  }

  #streamFailed(error: ProviderError): void {
    if (!this.#opened) return this.finish(upstreamFailed(this.attempt, error), true);
    this.exchange?.abort();
    this.#endStream('upstream_cut', error);
  }

  end(): void {
    if (this.over) return;
    if (this.#frames === null || this.#decoder === null) return this.#endWhole();
    try {
      const decoder = this.#decoder;
      this.#take([...this.#frames.end().flatMap((event) => decoder.push(event)), ...decoder.end()]);
    } catch (error) {
      return this.fail('reset', asAppError(error));
    }
    if (this.over) return;
    if (!this.#opened) {
      if (!this.#finished) return this.finish(gatewayFailed(new AppError('empty_response')));
      this.#open();
      this.#send(this.#early);
    }
    this.#endStream(this.#finished ? undefined : 'upstream_cut');
  }

  fail(kind: FailureKind, error: Error): void {
    if (this.over) return;
    if (!this.#opened) return this.finish(connectionFailed(kind, error), true);
    this.exchange?.abort();
    if (this.#finished) return this.#endStream(undefined);
    if (kind === 'idle-timeout') return this.#endStream('idle_timeout');
    this.#endStream('upstream_cut', { status: 502 });
  }

  protected override partialOutcome(): Outcome | undefined {
    return this.#opened ? this.#outcome(true, this.#text) : undefined;
  }

  #outcome(stream: boolean, completion: string): Outcome {
    return {
      channel: this.attempt.channel,
      upstreamModel: this.attempt.upstreamModel,
      usage: this.#usage,
      texts: () => ({ prompt: promptText(this.job.body), completion }),
      stream,
      ...(stream ? { firstByteAt: this.#firstByteAt } : {}),
      steps: servedSteps(this.attempt, this.job.parts.clock.now()),
      reasoningEffort: this.attempt.reasoningEffort ?? this.#translation.request.reasoning?.effort,
    };
  }

  #endStream(ended: Outcome['ended'], broken?: ProviderError): void {
    const outcome = this.#outcome(true, this.#text);
    this.settle(ended === undefined ? outcome : { ...outcome, ended }, () => {
      this.job.response.end(broken === undefined ? this.#encoder?.end() : this.#encoder?.fail(this.#wireError(broken)));
    });
  }

  #wireError(error: ProviderError) {
    const { language, requestId } = this.job;
    if (error.message === undefined)
      return describeFailure({ from: 'gateway', error: new AppError('do_request_failed') }, language, requestId);
    const masked = { ...error, message: maskMessage(error.message) };
    return describeFailure({ from: 'upstream', error: masked, mappedStatus: error.status }, language, requestId);
  }

  #endWhole(): void {
    const reply = { status: this.#status, headers: this.#headers, bytes: Buffer.concat(this.#chunks) };
    const { adapter, call, format } = this.#translation;
    if (this.#status < 200 || this.#status > 299) {
      return this.finish(upstreamFailed(this.attempt, readProviderFailure(this.attempt.channel.provider, reply)));
    }
    let decoded: ChatReply;
    try {
      decoded = adapter.decode(parseJson(reply.bytes.toString('utf8').trim()), call, this.#translation.request);
    } catch (error) {
      if (error instanceof ReplyFailure) return this.finish(upstreamFailed(this.attempt, error.error));
      return this.finish(
        gatewayFailed(error instanceof AppError ? error : new AppError('bad_response_body', {}, { cause: error })),
      );
    }
    this.#usage = decoded.usage;
    const text = () => decoded.choices.flatMap((choice) => choice.content.map(textOfPart)).join('');
    const texts = () => ({ prompt: promptText(this.job.body), completion: text() });
    this.settle({ ...this.#outcome(false, ''), texts }, () => {
      sendJson(this.job.response, 200, format.writeReply(decoded, this.#context), idHeaders(this.job.requestId));
    });
  }
}
