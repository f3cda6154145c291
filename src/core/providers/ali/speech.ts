/**
 * Speech, of two model series with an interface each (Model Studio, API references of Qwen-TTS and
 * of Qwen-Audio-TTS with CosyVoice). Both are requested as a stream, whose events carry the audio;
 * a whole reply only names the URL of a file.
 */

import type { SpeechReply, SpeechRequest } from '../../canonical/calls.ts';
import { parseEventData } from '../../canonical/kit/event-data.ts';
import { createFrameReader } from '../../canonical/kit/frames.ts';
import { audioMediaType } from '../../canonical/kit/media.ts';
import {
  compact,
  countOf,
  type Loose,
  recordOf,
  replyObject,
  textOf,
} from '../../canonical/kit/read-json.ts';
import { wavFile } from '../../canonical/kit/wav.ts';
import type { Call, OperationAdapter, RawReply } from '../../canonical/provider.ts';
import type { Usage } from '../../canonical/usage.ts';
import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonObject } from '../../kernel/json.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { refuseFailure } from './failure.ts';
import { postTo } from './request.ts';

/** Samples per second of raw audio, the only rate of Qwen-TTS. */
const rate = 24_000;

/** Qwen-TTS's voices for OpenAI's; any other name is one of its own. */
const qwenVoices: Readonly<Record<string, string>> = {
  alloy: 'Cherry',
  echo: 'Ethan',
  fable: 'Chelsie',
  onyx: 'Ethan',
  nova: 'Serena',
  shimmer: 'Chelsie',
};

/** `qwen-tts`, `qwen3-tts-flash`, …; `qwen-audio-3.0-tts-flash` belongs to the other series. */
function isQwenTts(model: string): boolean {
  return /^qwen\d*-tts/.test(model);
}

/**
 * The format that callers get. Qwen-TTS generates raw audio only; the default of the other series
 * is MP3.
 */
function formatOf({ format }: SpeechRequest, model: string): string {
  const known = isQwenTts(model) ? ['wav', 'pcm'] : ['mp3', 'wav', 'pcm', 'opus'];
  const requested = format ?? known[0] ?? '';
  if (!known.includes(requested))
    throw new AppError('unsupported_feature', { detail: `speech as ${requested}` });
  return requested;
}

/** Only models that accept instructions get them. */
function writeQwen(
  { extra, input, voice, instructions }: SpeechRequest,
  model: string,
): JsonObject {
  const reported = model.includes('instruct') ? instructions : undefined;
  const named = voice === undefined ? undefined : (qwenVoices[voice] ?? voice);
  return { ...extra, ...compact({ text: input, voice: named, instructions: reported }) };
}

/**
 * A streamed WAV file cannot state its length in its header, so raw audio is requested and gets a
 * header here.
 */
function writeOther(request: SpeechRequest, model: string): JsonObject {
  const { extra, input, voice, instructions, speed } = request;
  const requested = formatOf(request, model);
  const format = requested === 'wav' ? 'pcm' : requested;
  const common = compact({ text: input, voice, format, rate: speed, instruction: instructions });
  return { sample_rate: rate, ...extra, ...common };
}

/** The events, or the one object that stands in their place: a refusal. */
function eventsOf(body: unknown): readonly Loose[] {
  const { bytes } = body as Partial<RawReply>;
  if (bytes === undefined) return [replyObject(body)];
  const reader = createFrameReader('sse');
  const events = [...reader.push(bytes), ...reader.end()];
  return events.flatMap(({ data }) => parseEventData(data)).filter(isObject);
}

/** Tokens, else characters, which stand as prompt tokens. */
function readUsage(raw: unknown): Usage | undefined {
  const usage = recordOf(raw);
  if (usage === undefined) return undefined;
  const output = countOf(usage.output_tokens);
  const read = countOf(usage.input_tokens);
  if (read && output !== undefined)
    return { promptTokens: read, completionTokens: output, raw: [usage] };
  const characters = countOf(usage.characters);
  return characters ? { promptTokens: characters, completionTokens: 0, raw: [usage] } : undefined;
}

function readReply(body: unknown, call: Call, request?: SpeechRequest): SpeechReply {
  const pieces: Buffer[] = [];
  let usage: Usage | undefined;
  for (const event of eventsOf(body ?? {})) {
    refuseFailure(event);
    const audio = recordOf(recordOf(event.output)?.audio);
    pieces.push(Buffer.from(textOf(audio?.data) ?? '', 'base64'));
    usage = readUsage(event.usage) ?? usage;
  }
  const sound = Buffer.concat(pieces);
  if (sound.length === 0) throw new AppError('bad_response_body', { detail: 'no audio in it' });
  const format = request === undefined ? 'wav' : formatOf(request, call.model);
  const sampleRate = isQwenTts(call.model) ? rate : (countOf(request?.extra.sample_rate) ?? rate);
  return {
    mediaType: audioMediaType(format),
    bytes: format === 'wav' ? wavFile(sound, sampleRate) : sound,
    usage,
  };
}

/**
 * Fields of DashScope's own pass (`language_type`, `volume`, `pitch`). Qwen-TTS knows no speed,
 * which is left out. Throws AppError('unsupported_feature') for other formats.
 */
export const speech: OperationAdapter<'speech', OpenAiSettings> = {
  replyType: 'bytes',
  encode(request, call) {
    formatOf(request, call.model);
    const [path, input] = isQwenTts(call.model)
      ? ['/api/v1/services/aigc/multimodal-generation/generation', writeQwen(request, call.model)]
      : ['/api/v1/services/audio/tts/SpeechSynthesizer', writeOther(request, call.model)];
    return postTo(path, call, { model: call.model, input }, true);
  },
  decode: readReply,
};
