/**
 * Thinking in conversations that are forwarded, at vendors that want it back
 * (docs/rules/formats.md#remembered-thinking): read from replies, and given back in requests.
 */
import type {
  AssistantPart,
  ChatMessage,
  ChatRequest,
  ReasoningPart,
} from '../../canonical/chat.ts';
import type { FrameReader } from '../../canonical/kit/frame-reader.ts';
import { createFrameReader } from '../../canonical/kit/frames.ts';
import type { ReplyReader, StreamDecoder } from '../../canonical/pass-through.ts';
import { AppError } from '../../kernel/errors.ts';
import { parseJson } from '../../kernel/json.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';
import { readBody } from '../body/body-fields.ts';
import { readChat } from '../formats/shared/read-chat.ts';
import type { RelayJob } from '../job.ts';
import { TurnCollector } from './turn-collector.ts';

const nothing: readonly AssistantPart[] = [];

/** The turn in a forwarded reply. What cannot be read is not remembered: nothing here throws. */
export class ForwardedTurn {
  readonly #reader: ReplyReader;
  readonly #decoder: StreamDecoder;
  readonly #collector = new TurnCollector();
  #frames: FrameReader | undefined;

  /** `maxEventBytes`: what an event may have. */
  constructor(reader: ReplyReader, maxEventBytes: number) {
    this.#reader = reader;
    this.#decoder = reader.createStreamDecoder();
    this.#frames = createFrameReader('sse', maxEventBytes);
  }

  /** A chunk of a stream. */
  push(chunk: Buffer): void {
    try {
      for (const event of this.#frames?.push(chunk) ?? [])
        this.#collector.push(this.#decoder.push(event));
    } catch {
      this.#frames = undefined;
    }
  }

  /** The stream was complete. */
  end(): readonly AssistantPart[] {
    if (this.#frames === undefined) return nothing;
    try {
      for (const event of this.#frames.end()) this.#collector.push(this.#decoder.push(event));
      return this.#collector.content();
    } catch {
      return nothing;
    }
  }

  /** A reply in one piece. */
  read(bytes: Buffer): readonly AssistantPart[] {
    try {
      const { choices } = this.#reader.decode(parseJson(bytes.toString('utf8').trim()));
      return choices[0]?.content ?? nothing;
    } catch {
      return nothing;
    }
  }
}

const isThought = (part: AssistantPart): part is ReasoningPart => part.type === 'reasoning';

function thoughtsIn({ messages }: ChatRequest): readonly (readonly ReasoningPart[])[] {
  return messages.flatMap((message) =>
    message.role === 'assistant' ? [message.content.filter(isThought)] : [],
  );
}

/** The conversation of a body; undefined: it cannot be read, and its upstream says why. */
function readable(job: RelayJob): ChatRequest | undefined {
  if (job.format.kind !== 'conversation') return undefined;
  try {
    return readChat(job.format, job);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** What is remembered of the turns that came without their thinking. */
async function missingThoughts(job: RelayJob, channel: UpstreamChannel, request: ChatRequest) {
  const restored = await job.deps.thinking.restore(job, channel, request);
  if (restored === request) return [];
  const given = thoughtsIn(request);
  return thoughtsIn(restored).map((thoughts, turn) =>
    given[turn]?.some(({ text, redacted = text }) => redacted !== '') === true ? [] : thoughts,
  );
}

/**
 * The job with the thinking that its client did not return, as far as it is remembered, and its
 * conversation as the client sent it.
 */
export async function withEarlierThinking(
  job: RelayJob,
  channel: UpstreamChannel,
): Promise<{ readonly job: RelayJob; readonly messages: readonly ChatMessage[] }> {
  const request = readable(job);
  if (request === undefined) return { job, messages: [] };
  return { job: await withThinking(job, channel, request), messages: request.messages };
}

async function withThinking(
  job: RelayJob,
  channel: UpstreamChannel,
  request: ChatRequest,
): Promise<RelayJob> {
  const { format } = job;
  if (format.thinkingEdits === undefined) return job;
  const turns = await missingThoughts(job, channel, request);
  const edits = turns.length === 0 ? {} : format.thinkingEdits(job.body, turns);
  const body = Object.keys(edits).length === 0 ? null : readBody(job.body.write(edits).bytes);
  return body === null ? job : { ...job, body };
}
