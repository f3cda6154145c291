/**
 * Our own count of a realtime connection, for answers whose usage the upstream does not tell, and what the next answer is
 * held at (spec, billing 4, 7).
 */

import type { Usage } from '../../canonical/chat.ts';
import { countOf, listOf, recordOf, textOf } from '../../canonical/kit/read-json.ts';
import { isObject } from '../../kernel/json.ts';
import type { Countable } from '../../metering/countable.ts';
import { defaultOutputTokens } from '../../pricing/estimate.ts';
import { estimateTokensFromBytes } from '../../pricing/estimate-tokens.ts';
import { askedTexts, type RealtimeEvent } from './events.ts';

/** Tokens of a minute of audio (spec, billing 7). */
const heardTokensPerMinute = 100 / 0.06;
const spokenTokensPerMinute = 200 / 0.24;
/** Tokens that a tool costs besides its description. */
const toolTokens = 8;
/** Prompt tokens held for the first answer. */
const firstPromptTokens = 500;
/** No answer is held at more, whatever the client allows. */
const mostOutputTokens = 65_536;
/** Characters kept to be counted. */
const keepLimit = 1024 * 1024;

/** Bytes of a second of audio: 24 kHz in 16 bits, or G.711. */
const linearRate = 24_000 * 2;
const companded = 8000;

/** What went one way: texts, and audio by its length. */
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

  /** Without counting, generously. */
  get roughTokens(): number {
    return estimateTokensFromBytes(this.#length);
  }
}

/** One answer as it comes. */
export class AnswerMeter {
  readonly #session: SessionMeter;
  readonly #asked: Quantity;
  readonly #tools: readonly string[];
  readonly #said = new Quantity();

  /** `tools`: those that count, as JSON. */
  constructor(session: SessionMeter, asked: Quantity, tools: readonly string[]) {
    this.#session = session;
    this.#asked = asked;
    this.#tools = tools;
  }

  /** Whether anything of the answer itself has come. */
  get hasContent(): boolean {
    return !this.#said.isEmpty;
  }

  /** A `….delta` event. Names with `output_` are those of the later interface. */
  take({ type, get }: RealtimeEvent): void {
    if (/^response\.(output_)?audio\.delta$/.test(type)) this.#said.addAudio(get('delta'), this.#session.spokenRate);
    else this.#said.addText(get('delta'));
  }

  get heard(): number {
    return this.#asked.audioTokens(heardTokensPerMinute);
  }

  get spoken(): number {
    return this.#said.audioTokens(spokenTokensPerMinute);
  }

  /** What was asked, audio included. */
  asked(): Countable {
    const tokens = this.heard + this.#tools.length * toolTokens;
    return { texts: [...this.#asked.texts, ...this.#tools], images: [], tokens };
  }

  generated(): Countable {
    return { texts: this.#said.texts, images: [], tokens: this.spoken };
  }

  /** What it adds to the conversation where the upstream does not tell. */
  roughly(): Usage {
    return {
      promptTokens: this.heard + this.#asked.roughTokens,
      promptAudioTokens: this.heard,
      completionTokens: this.spoken + this.#said.roughTokens,
      completionAudioTokens: this.spoken,
    };
  }
}

export class SessionMeter {
  #asked = new Quantity();
  #heardRate = linearRate;
  #spokenRate = linearRate;
  #tools: readonly unknown[] = [];
  #speaks = true;
  #maxOutputTokens: number | undefined;
  #answers = 0;
  #unwritten = new Quantity();
  #transcriber: string | undefined;
  #context: Usage = { promptTokens: firstPromptTokens };

  /** Bytes of a second of the answers' audio. */
  get spokenRate(): number {
    return this.#spokenRate;
  }

  /** The model that writes down what the client says; undefined: none that is known. */
  get transcriber(): string | undefined {
    return this.#transcriber;
  }

  /** Seconds that the client spoke since the last transcript. */
  takeUnwritten(): number {
    const { seconds } = this.#unwritten;
    this.#unwritten = new Quantity();
    return seconds;
  }

  /** An event of the client. */
  asked(event: RealtimeEvent): void {
    for (const text of askedTexts(event)) this.#asked.addText(text);
    if (event.type === 'session.update' || event.type === 'transcription_session.update') this.learn(event.get('session'));
    if (event.type === 'input_audio_buffer.append') {
      this.#asked.addAudio(event.get('audio'), this.#heardRate);
      this.#unwritten.addAudio(event.get('audio'), this.#heardRate);
    }
    const item = event.type === 'conversation.item.create' ? recordOf(event.get('item')) : undefined;
    for (const part of listOf(item?.['content'])) this.#asked.addAudio(recordOf(part)?.['audio'], this.#heardRate);
  }

  /** A session's settings, as the client wishes them or the upstream has them; both interfaces' names. */
  learn(session: unknown): void {
    const fields = recordOf(session);
    if (fields === undefined) return;
    const { input, output } = recordOf(fields['audio']) ?? {};
    this.#heardRate = rateOf(fields['input_audio_format'] ?? recordOf(input)?.['format']) ?? this.#heardRate;
    this.#spokenRate = rateOf(fields['output_audio_format'] ?? recordOf(output)?.['format']) ?? this.#spokenRate;
    const transcription = recordOf(fields['input_audio_transcription'] ?? recordOf(input)?.['transcription']);
    this.#transcriber = textOf(transcription?.['model']) ?? this.#transcriber;
    if (Array.isArray(fields['tools'])) this.#tools = fields['tools'];
    const modalities = fields['output_modalities'] ?? fields['modalities'];
    if (Array.isArray(modalities)) this.#speaks = modalities.includes('audio');
    this.#maxOutputTokens = countOf(fields['max_response_output_tokens'] ?? fields['max_output_tokens']) ?? this.#maxOutputTokens;
  }

  /** An answer begins: what was asked since the last one belongs to it; tools count from the second one on. */
  answer(): AnswerMeter {
    const asked = this.#asked;
    this.#asked = new Quantity();
    const tools = this.#answers++ === 0 ? [] : this.#tools.map((tool) => JSON.stringify(tool));
    return new AnswerMeter(this, asked, tools);
  }

  /** What an answer used: all of it is part of the next prompt. */
  answered(usage: Usage): void {
    this.#context = usage;
  }

  /** What the next answer is held at: the conversation so far, and an answer in the dearest form that is asked for. */
  expected(): Usage {
    const { promptTokens = 0, completionTokens = 0, promptAudioTokens = 0, completionAudioTokens = 0 } = this.#context;
    const output = Math.min(this.#maxOutputTokens ?? defaultOutputTokens, mostOutputTokens);
    return {
      promptTokens: Math.max(firstPromptTokens, promptTokens + completionTokens),
      promptAudioTokens: promptAudioTokens + completionAudioTokens,
      completionTokens: output,
      completionAudioTokens: this.#speaks ? output : 0,
    };
  }
}

/** `pcm16`, `g711_ulaw`, `g711_alaw`; later `{type: "audio/pcm", rate}`, `audio/pcmu`, `audio/pcma`. */
function rateOf(format: unknown): number | undefined {
  const name = textOf(isObject(format) ? format['type'] : format);
  if (name === undefined) return undefined;
  if (name !== 'pcm16' && name !== 'audio/pcm') return companded;
  const samples = isObject(format) ? countOf(format['rate']) : undefined;
  return samples === undefined || samples === 0 ? linearRate : samples * 2;
}
