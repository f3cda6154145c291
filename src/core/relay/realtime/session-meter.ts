/**
 * Our own count of a realtime connection, for answers whose usage the upstream does not tell, and what the next answer is
 * held at (spec, billing 4, 7).
 */
import { isObject } from '../../kernel/json.ts';
import { defaultOutputTokens } from '../../pricing/estimate.ts';
import type { Usage } from '../../providers/canonical.ts';
import { countOf, listOf, recordOf, textOf } from '../../providers/kit/read-json.ts';
import { countTokens } from '../charge.ts';
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
export class Quantity {
  #texts: string[] = [];
  #length = 0;
  seconds = 0;

  addText(text: unknown): void {
    if (typeof text !== 'string' || this.#length > keepLimit) return;
    this.#texts.push(text);
    this.#length += text.length;
  }

  addAudio(base64: unknown, bytesPerSecond: number): void {
    if (typeof base64 === 'string') this.seconds += (base64.length * 3) / 4 / bytesPerSecond;
  }

  get isEmpty(): boolean {
    return this.#length === 0 && this.seconds === 0;
  }

  textTokens(model: string): number {
    return countTokens(this.#texts.join('\n'), model);
  }
}

/** One answer as it comes. */
export class AnswerMeter {
  readonly #session: SessionMeter;
  readonly #asked: Quantity;
  readonly #tools: readonly unknown[];
  readonly #told = new Quantity();

  constructor(session: SessionMeter, asked: Quantity, tools: readonly unknown[]) {
    this.#session = session;
    this.#asked = asked;
    this.#tools = tools;
  }

  /** Whether anything of the answer itself has come. */
  get hasContent(): boolean {
    return !this.#told.isEmpty;
  }

  /** A `….delta` event. Names with `output_` are those of the later interface. */
  take({ type, get }: RealtimeEvent): void {
    if (/^response\.(output_)?audio\.delta$/.test(type)) this.#told.addAudio(get('delta'), this.#session.spokenRate);
    else this.#told.addText(get('delta'));
  }

  /** The whole usage, counted. */
  count(): Usage {
    const { model } = this.#session;
    const heard = Math.round((this.#asked.seconds / 60) * heardTokensPerMinute);
    const spoken = Math.round((this.#told.seconds / 60) * spokenTokensPerMinute);
    const tools = this.#tools.reduce((sum: number, tool) => sum + toolTokens + countTokens(JSON.stringify(tool), model), 0);
    return {
      promptTokens: this.#asked.textTokens(model) + tools + heard,
      promptAudioTokens: heard,
      completionTokens: this.#told.textTokens(model) + spoken,
      completionAudioTokens: spoken,
    };
  }
}

export class SessionMeter {
  readonly model: string;
  #asked = new Quantity();
  #heardRate = linearRate;
  #spokenRate = linearRate;
  #tools: readonly unknown[] = [];
  #speaks = true;
  #maxOutputTokens: number | undefined;
  #answers = 0;
  #context: Usage = { promptTokens: firstPromptTokens };

  constructor(model: string) {
    this.model = model;
  }

  /** Bytes of a second of the answers' audio. */
  get spokenRate(): number {
    return this.#spokenRate;
  }

  /** An event of the client. */
  asked(event: RealtimeEvent): void {
    for (const text of askedTexts(event)) this.#asked.addText(text);
    if (event.type === 'session.update') this.learn(event.get('session'));
    if (event.type === 'input_audio_buffer.append') this.#asked.addAudio(event.get('audio'), this.#heardRate);
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
    if (Array.isArray(fields['tools'])) this.#tools = fields['tools'];
    const modalities = fields['output_modalities'] ?? fields['modalities'];
    if (Array.isArray(modalities)) this.#speaks = modalities.includes('audio');
    this.#maxOutputTokens = countOf(fields['max_response_output_tokens'] ?? fields['max_output_tokens']) ?? this.#maxOutputTokens;
  }

  /** An answer begins: what was asked since the last one belongs to it; tools count from the second one on. */
  answer(): AnswerMeter {
    const asked = this.#asked;
    this.#asked = new Quantity();
    return new AnswerMeter(this, asked, this.#answers++ === 0 ? [] : this.#tools);
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
