/**
 * An attempt in which the caller's wire format differs from the upstream's: read into the canonical form, written for the
 * provider, and back. Streams go event by event; their end waits for the settlement.
 */

import type { ChatReply, ChatRequest, ProviderError, StreamPart, Usage } from '../../canonical/chat.ts';
import { append } from '../../canonical/kit/append.ts';
import { createStreamCollector, streamOfReply } from '../../canonical/kit/collect-stream.ts';
import type { FrameReader } from '../../canonical/kit/frame-reader.ts';
import { createFrameReader } from '../../canonical/kit/frames.ts';
import { streamsOnly } from '../../canonical/kit/streams-only.ts';
import { mergeUsage } from '../../canonical/kit/usage.ts';
import type { Call, OperationAdapter, StreamDecoder, UpstreamRequest } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import type { GeneratedText } from '../../metering/countable.ts';
import type { FailureKind, ResponseHeaders } from '../../upstream/exchange.ts';
import type { AttemptOutcome } from '../charge/bill.ts';
import { sidesToCount } from '../charge/countable-request.ts';
import { asAppError, describeFailure, withoutKey } from '../failure.ts';
import type { ChatWireFormat, ReplyContext, StreamEncoder } from '../formats/shared/conversation-format.ts';
import {
  type Attempt,
  type AttemptResult,
  connectionFailed,
  gatewayFailed,
  isEventStream,
  maxErrorBytes,
  type RelayJob,
  servedSteps,
  toWireRequest,
  upstreamFailed,
} from '../job.ts';
import { corsHeaders, eventStreamHeaders, idHeaders, sendJson } from '../reply.ts';
import { AttemptSink } from './attempt-sink.ts';
import { decodeChatReply, decodedOrFailed, generatedTextOfChat, replyFailed } from './translated-reply.ts';

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
    new TranslateSink(job, attempt, translation, resolve).begin(toWireRequest(job, attempt, request));
  });
}

/** How a reply is taken: as one piece, as a stream that goes on, or as a stream for somebody who wants it in one piece. */
type Mode = 'undecided' | 'whole' | 'stream' | 'collect';

const openBrace = 0x7b;

/** Greetings and figures that an answer may begin with before anything of it comes. */
const mostEarly = 10_000;

/** The first byte that is no blank; undefined where there is none. */
function firstByte(chunk: Buffer): number | undefined {
  return chunk.find((byte) => byte > 0x20);
}

class TranslateSink extends AttemptSink {
  readonly #translation: Translation;
  readonly #context: ReplyContext;
  #status = 0;
  #headers: ResponseHeaders = {};
  #mode: Mode = 'whole';
  readonly #collected = createStreamCollector();
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
  #toolCalls = 0;
  #usage: Usage | undefined;
  #finished = false;

  constructor(job: RelayJob, attempt: Attempt, translation: Translation, resolve: (result: AttemptResult) => void) {
    super(job, attempt, resolve);
    this.#translation = translation;
    this.#context = {
      id: job.deps.ids.alphanumeric(24),
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
    const { adapter, call, request } = this.#translation;
    if (status !== 200 || adapter.createStreamDecoder === undefined) return;
    const collects = streamsOnly(adapter, call.model) && !this.job.stream;
    // An upstream that streams unasked is passed on as a stream (spec, providers-international 1.1, step 9).
    if (!this.job.stream && !collects && !isEventStream(headers)) return;
    const framing = adapter.framing ?? 'sse';
    this.#mode = collects ? 'collect' : framing === 'sse' ? 'undecided' : 'stream';
    this.#frames = createFrameReader(framing);
    this.#decoder = adapter.createStreamDecoder(call, request);
  }

  data(chunk: Buffer): void {
    if (this.over) return;
    // An upstream that ignored `stream` answers JSON, an error perhaps.
    if (this.#mode === 'undecided') {
      const first = firstByte(chunk);
      if (first !== undefined) this.#mode = first === openBrace ? 'whole' : 'stream';
    }
    if (this.#mode !== 'stream') this.#size += chunk.length;
    const limit = this.#status === 200 ? this.job.deps.limits.maxReplyBytes : maxErrorBytes;
    if (this.#size > limit) return this.finish(gatewayFailed(new AppError('bad_response_body')), true);
    if (this.#mode !== 'whole' && this.#frames !== null && this.#decoder !== null)
      return this.#stream(chunk, this.#frames, this.#decoder);
    this.#chunks.push(chunk);
  }

  #stream(chunk: Buffer, frames: FrameReader, decoder: StreamDecoder): void {
    try {
      const parts = frames.push(chunk).flatMap((event) => decoder.push(event));
      if (parts.length > 0) this.#take(parts);
    } catch (error) {
      this.fail('reset', asAppError(error));
    }
    if (!this.over && decoder.done === true) this.endAhead();
  }

  /** Sends what the parts say; errors before the first byte leave the reply to another channel. */
  #take(parts: readonly StreamPart[]): void {
    if (this.over) return;
    for (const part of parts) {
      if (part.type === 'error') return this.#streamFailed(part.error);
      this.#note(part);
    }
    if (this.#mode === 'collect') return this.#collected.push(parts);
    if (!this.#opened) {
      append(this.#early, parts);
      if (parts.some((part) => part.type !== 'start' && part.type !== 'usage')) return this.#open();
      if (this.#early.length > mostEarly) return this.fail('reset', new AppError('bad_response_body'));
      // Only usage and a greeting so far: an error may still follow, and another channel may still serve.
      return this.openSoon(() => this.#open());
    }
    this.#send(parts);
  }

  #note(part: StreamPart): void {
    if (part.type === 'usage') this.#usage = mergeUsage(this.#usage, part.usage);
    else if (part.type === 'finish') this.#finished = true;
    else if (part.type === 'tool-call-delta') this.#toolCalls = Math.max(this.#toolCalls, part.index + 1);
    if (this.#text.length > keepLimit) return;
    if (part.type === 'text-delta' || part.type === 'reasoning-delta' || part.type === 'refusal-delta') this.#text += part.text;
    else if (part.type === 'audio') this.#text += part.transcript ?? '';
    else if (part.type === 'tool-call-delta') this.#text += (part.name ?? '') + part.arguments;
  }

  /** Begins the client's reply with what came so far. */
  #open(): void {
    this.#opened = true;
    this.#firstByteAt = this.job.deps.clock.now();
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
    this.#send(this.#early);
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
    if (this.#mode === 'whole' || this.#frames === null || this.#decoder === null) return this.#endWhole();
    try {
      const decoder = this.#decoder;
      this.#take([...this.#frames.end().flatMap((event) => decoder.push(event)), ...decoder.end()]);
    } catch (error) {
      return this.fail('reset', asAppError(error));
    }
    if (this.over) return;
    if (this.#mode === 'collect') return this.#endCollected();
    this.#closeStream();
  }

  /** All has come; where nothing has been worth sending yet, what there is goes now. */
  #closeStream(): void {
    if (!this.#opened) {
      if (!this.#finished) return this.finish(gatewayFailed(new AppError('empty_response')));
      this.#open();
    }
    this.#endStream(this.#finished ? undefined : 'upstream_cut');
  }

  protected override broke(kind: FailureKind, error: Error): void {
    if (!this.#opened) return this.finish(connectionFailed(kind, error), true);
    this.exchange?.abort();
    if (this.#finished) return this.#endStream(undefined);
    if (kind === 'idle-timeout') return this.#endStream('idle_timeout');
    this.#endStream('upstream_cut', { status: 502 });
  }

  protected override partialOutcome(): AttemptOutcome | undefined {
    return this.#opened ? this.#outcome(true, this.#said()) : undefined;
  }

  #said(): GeneratedText {
    return { text: this.#text, toolCalls: this.#toolCalls };
  }

  #outcome(stream: boolean, generated: GeneratedText): AttemptOutcome {
    return {
      channel: this.attempt.channel,
      upstreamModel: this.attempt.upstreamModel,
      usage: this.#usage,
      ...sidesToCount(this.job, () => generated),
      stream,
      ...(stream ? { firstByteAt: this.#firstByteAt } : {}),
      steps: servedSteps(this.attempt, this.job.deps.clock.now()),
      reasoningEffort: this.attempt.reasoningEffort ?? this.#translation.request.reasoning?.effort,
    };
  }

  #endStream(ended: AttemptOutcome['ended'], broken?: ProviderError): void {
    const outcome = this.#outcome(true, this.#said());
    this.settle(ended === undefined ? outcome : { ...outcome, ended }, (usage) => {
      this.job.response.end(broken === undefined ? this.#encoder?.end(usage) : this.#encoder?.fail(this.#wireError(broken)));
    });
  }

  #wireError(error: ProviderError) {
    const { language, requestId } = this.job;
    if (error.message === undefined)
      return describeFailure({ from: 'gateway', error: new AppError('do_request_failed') }, language, requestId);
    const masked = withoutKey(error, this.attempt.channel.key);
    return describeFailure({ from: 'upstream', error: masked, mappedStatus: error.status }, language, requestId);
  }

  #endWhole(): void {
    const reply = { status: this.#status, headers: this.#headers, bytes: Buffer.concat(this.#chunks) };
    const { adapter, call, request } = this.#translation;
    const decoded = decodeChatReply(this.attempt, reply, adapter, call, request);
    if (decoded.failed !== undefined) return this.finish(decoded.failed);
    if (!this.job.stream) return this.#sendReply(decoded.reply);
    this.#take(streamOfReply(decoded.reply));
    if (!this.over) this.#closeStream();
  }

  /** A stream that was cut is no whole answer: nothing went out, another channel may serve. */
  #endCollected(): void {
    if (!this.#finished) return this.finish(gatewayFailed(new AppError('empty_response')));
    const decoded = decodedOrFailed(this.attempt, () => this.#collected.reply());
    if (decoded.failed !== undefined) return this.finish(decoded.failed);
    this.#sendReply(decoded.reply);
  }

  /** Written before it is paid: nobody owes an answer that cannot be written. Once more only where its usage was counted here. */
  #sendReply(reply: ChatReply): void {
    this.#usage = reply.usage;
    const write = (usage: Usage | undefined) => this.#translation.format.writeReply({ ...reply, usage }, this.#context);
    let written: unknown;
    try {
      written = write(reply.usage);
    } catch (error) {
      return this.finish(replyFailed(this.attempt, error));
    }
    this.settle(this.#outcome(false, generatedTextOfChat(reply)), (usage) => {
      const told = usage === undefined || usage === reply.usage;
      sendJson(this.job.response, 200, told ? written : write(usage), idHeaders(this.job.requestId));
    });
  }
}
