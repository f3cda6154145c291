/**
 * Our own count of a realtime connection (docs/rules/realtime.md#realtime-counting): for answers
 * whose usage the upstream does not report, and for the hold of the next answer.
 */

import { countOf, listOf, recordOf, textOf } from '../../canonical/kit/read-json.ts';
import type { Usage } from '../../canonical/usage.ts';
import { isObject } from '../../kernel/json.ts';
import type { Countable } from '../../metering/countable.ts';
import { defaultOutputTokens } from '../../pricing/estimate.ts';
import { estimateTokensFromBytes } from '../../pricing/estimate-tokens.ts';
import { inputTexts, type RealtimeEvent } from './events.ts';

/** Tokens of a minute of audio, of the client and of the model. */
const inputTokensPerMinute = 100 / 0.06;
const outputTokensPerMinute = 200 / 0.24;
/** Tokens that a tool costs besides its description. */
const toolTokens = 8;
/** Prompt tokens held for the first answer. */
const firstPromptTokens = 500;
/** Most output tokens held for an answer, whatever the client allows. */
const mostOutputTokens = 65_536;
/** Most characters kept to be counted. */
const keepLimit = 1024 * 1024;

/** Bytes of a second of audio: 24 kHz in 16 bits, or G.711. */
const linearRate = 24_000 * 2;
const companded = 8000;

/** What was sent in one direction: texts, and audio by its length. */
class Quantity {
  readonly texts: string[] = [];
  #length = 0;
  #seconds = 0;

  addText(text: unknown): void {
    if (typeof text !== 'string' || this.#length > keepLimit) return;
    this.texts.push(text);
    this.#length += text.length;
  }

  addAudio(base64: unknown, bytesPerSecond: number): void {
    if (typeof base64 === 'string') this.#seconds += (base64.length * 3) / 4 / bytesPerSecond;
  }

  get isEmpty(): boolean {
    return this.#length === 0 && this.#seconds === 0;
  }

  get seconds(): number {
    return this.#seconds;
  }

  audioTokens(perMinute: number): number {
    return Math.round((this.#seconds / 60) * perMinute);
  }

  /** An upper estimate, without counting. */
  get roughTokens(): number {
    return estimateTokensFromBytes(this.#length);
  }
}

/** One answer while it is received. */
export class AnswerMeter {
  readonly #session: SessionMeter;
  readonly #input: Quantity;
  readonly #tools: readonly string[];
  readonly #output = new Quantity();

  /** `tools`: the tools that are counted, as JSON. */
  constructor(session: SessionMeter, input: Quantity, tools: readonly string[]) {
    this.#session = session;
    this.#input = input;
    this.#tools = tools;
  }

  /** Whether any of the answer itself was received. */
  get hasContent(): boolean {
    return !this.#output.isEmpty;
  }

  /** A `….delta` event. Names with `output_` belong to the newer interface. */
  take({ type, get }: RealtimeEvent): void {
    if (/^response\.(output_)?audio\.delta$/.test(type))
      this.#output.addAudio(get('delta'), this.#session.outputRate);
    else this.#output.addText(get('delta'));
  }

  get inputAudioTokens(): number {
    return this.#input.audioTokens(inputTokensPerMinute);
  }

  get outputAudioTokens(): number {
    return this.#output.audioTokens(outputTokensPerMinute);
  }

  /** What was sent to the model, audio included. */
  input(): Countable {
    const tokens = this.inputAudioTokens + this.#tools.length * toolTokens;
    return { texts: [...this.#input.texts, ...this.#tools], images: [], tokens };
  }

  output(): Countable {
    return { texts: this.#output.texts, images: [], tokens: this.outputAudioTokens };
  }

  /** An estimate of its usage, where the upstream reports none. */
  estimate(): Usage {
    return {
      promptTokens: this.inputAudioTokens + this.#input.roughTokens,
      promptAudioTokens: this.inputAudioTokens,
      completionTokens: this.outputAudioTokens + this.#output.roughTokens,
      completionAudioTokens: this.outputAudioTokens,
    };
  }
}

export class SessionMeter {
  #input = new Quantity();
  #inputRate = linearRate;
  #outputRate = linearRate;
  #tools: readonly unknown[] = [];
  #outputsAudio = true;
  #maxOutputTokens: number | undefined;
  #answers = 0;
  #untranscribed = new Quantity();
  #transcriber: string | undefined;
  #context: Usage = { promptTokens: firstPromptTokens };

  /** Bytes of a second of the answers' audio. */
  get outputRate(): number {
    return this.#outputRate;
  }

  /** The model that transcribes the client's speech; undefined: unknown. */
  get transcriber(): string | undefined {
    return this.#transcriber;
  }

  /** Seconds of the client's audio since the last transcript. */
  takeUntranscribed(): number {
    const { seconds } = this.#untranscribed;
    this.#untranscribed = new Quantity();
    return seconds;
  }

  /** An event of the client. */
  noteInput(event: RealtimeEvent): void {
    for (const text of inputTexts(event)) this.#input.addText(text);
    if (event.type === 'session.update' || event.type === 'transcription_session.update')
      this.learn(event.get('session'));
    if (event.type === 'input_audio_buffer.append') {
      this.#input.addAudio(event.get('audio'), this.#inputRate);
      this.#untranscribed.addAudio(event.get('audio'), this.#inputRate);
    }
    const item =
      event.type === 'conversation.item.create' ? recordOf(event.get('item')) : undefined;
    for (const part of listOf(item?.['content']))
      this.#input.addAudio(recordOf(part)?.['audio'], this.#inputRate);
  }

  /**
   * A session's settings, as the client requests or the upstream reports them, in the names of both
   * interfaces.
   */
  learn(session: unknown): void {
    const fields = recordOf(session);
    if (fields === undefined) return;
    const { input, output } = recordOf(fields['audio']) ?? {};
    this.#inputRate =
      rateOf(fields['input_audio_format'] ?? recordOf(input)?.['format']) ?? this.#inputRate;
    this.#outputRate =
      rateOf(fields['output_audio_format'] ?? recordOf(output)?.['format']) ?? this.#outputRate;
    const transcription = recordOf(
      fields['input_audio_transcription'] ?? recordOf(input)?.['transcription'],
    );
    this.#transcriber = textOf(transcription?.['model']) ?? this.#transcriber;
    if (Array.isArray(fields['tools'])) this.#tools = fields['tools'];
    const modalities = fields['output_modalities'] ?? fields['modalities'];
    if (Array.isArray(modalities)) this.#outputsAudio = modalities.includes('audio');
    const limit = fields['max_response_output_tokens'] ?? fields['max_output_tokens'];
    // `inf` is no limit.
    if (limit !== undefined) this.#maxOutputTokens = countOf(limit);
  }

  /**
   * An answer begins: all input since the last one belongs to it; tools are counted from the second
   * one on.
   */
  beginAnswer(): AnswerMeter {
    const input = this.#input;
    this.#input = new Quantity();
    const tools = this.#answers++ === 0 ? [] : this.#tools.map((tool) => JSON.stringify(tool));
    return new AnswerMeter(this, input, tools);
  }

  /** The usage of an answer: all of it is part of the next prompt. */
  noteUsage(usage: Usage): void {
    this.#context = usage;
  }

  /**
   * The usage held for the next answer: the conversation so far, and an answer in the most
   * expensive form requested.
   */
  expected(): Usage {
    const {
      promptTokens = 0,
      completionTokens = 0,
      promptAudioTokens = 0,
      completionAudioTokens = 0,
    } = this.#context;
    const output = Math.min(this.#maxOutputTokens ?? defaultOutputTokens, mostOutputTokens);
    return {
      promptTokens: Math.max(firstPromptTokens, promptTokens + completionTokens),
      promptAudioTokens: promptAudioTokens + completionAudioTokens,
      completionTokens: output,
      completionAudioTokens: this.#outputsAudio ? output : 0,
    };
  }
}

/**
 * `pcm16`, `g711_ulaw`, `g711_alaw`; later `{type: "audio/pcm", rate}`, `audio/pcmu`, `audio/pcma`.
 */
function rateOf(format: unknown): number | undefined {
  const name = textOf(isObject(format) ? format['type'] : format);
  if (name === undefined) return undefined;
  if (name !== 'pcm16' && name !== 'audio/pcm') return companded;
  const samples = isObject(format) ? countOf(format['rate']) : undefined;
  return samples === undefined || samples === 0 ? linearRate : samples * 2;
}
