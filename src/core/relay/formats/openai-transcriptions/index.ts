/** Transcription and translation of speech as client formats (spec, relay 14; providers-international 3.1). */

import type { MediaFile, TranscriptionReply, TranscriptionRequest } from '../../../canonical/calls.ts';
import { compact } from '../../../canonical/kit/read-json.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { JsonValue } from '../../../kernel/json.ts';
import type { RequestBody } from '../../body/request-body.ts';
import { writeAudioUsage } from '../openai-speech/index.ts';
import { type CallFormat, eventReply, jsonReply, type WrittenReply, wantsStream } from '../shared/call-format.ts';
import { writeSubtitles } from './subtitles.ts';

const known: ReadonlySet<string> = new Set(['model', 'language', 'prompt', 'response_format', 'temperature', 'stream']);
/** What needs times, not only the text. */
const timed: ReadonlySet<string> = new Set(['verbose_json', 'srt', 'vtt']);

function fail(detail: string): never {
  throw new AppError('invalid_audio_request', { detail });
}

/** The audio. Throws AppError('invalid_audio_request'). */
export function audioFile(body: RequestBody): MediaFile {
  const file = body.files.find(({ name }) => name === 'file')?.file;
  if (file === undefined) return fail('file is required');
  return file.bytes.length === 0 ? fail('file is empty') : file;
}

function textField(body: RequestBody, name: string): string | undefined {
  const value = body.get(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function temperatureOf(body: RequestBody): number | undefined {
  const text = textField(body, 'temperature');
  if (text === undefined) return undefined;
  return Number.isFinite(Number(text)) ? Number(text) : fail('temperature must be a number');
}

/** Providers are asked for JSON; with times where what the caller wants is made from them. */
function readRequest(body: RequestBody, model: string): TranscriptionRequest {
  const extra: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(body.parse())) if (!known.has(name)) extra[name] = value;
  return {
    model,
    file: audioFile(body),
    language: textField(body, 'language'),
    prompt: textField(body, 'prompt'),
    temperature: temperatureOf(body),
    responseFormat: timed.has(textField(body, 'response_format') ?? '') ? 'verbose_json' : 'json',
    extra,
  };
}

type Task = 'transcribe' | 'translate';

function writeVerbose(reply: TranscriptionReply, task: Task) {
  const { text, language, duration, segments, words } = reply;
  return compact({ task, language, duration, text, segments, words, usage: writeAudioUsage(reply.usage) });
}

function writeReply(reply: TranscriptionReply, wanted: string, stream: boolean, task: Task): WrittenReply {
  const usage = writeAudioUsage(reply.usage);
  if (stream) {
    const delta = { type: 'transcript.text.delta', delta: reply.text };
    return eventReply([delta, { type: 'transcript.text.done', ...compact({ text: reply.text, usage }) }]);
  }
  switch (wanted) {
    case 'text':
      return { contentType: 'text/plain; charset=utf-8', body: `${reply.text}\n` };
    case 'srt':
    case 'vtt':
      return {
        contentType: wanted === 'vtt' ? 'text/vtt; charset=utf-8' : 'text/plain; charset=utf-8',
        body: writeSubtitles(reply, wanted),
      };
    case 'verbose_json':
      return jsonReply(writeVerbose(reply, task));
    default:
      return jsonReply(compact({ text: reply.text, usage }));
  }
}

/** What the caller asked for is read again from the body: providers know only JSON. */
function audioFormat<O extends 'transcription' | 'translation'>(
  operation: O,
  format: 'openai-transcriptions' | 'openai-translations',
  task: Task,
): CallFormat<'transcription' | 'translation'> & { readonly operation: O } {
  return {
    format,
    operation,
    defaultModel: 'whisper-1',
    form: 'required',
    check(body) {
      audioFile(body);
      temperatureOf(body);
    },
    streams: wantsStream,
    readRequest: (body, { model }) => readRequest(body, model),
    writeReply: (reply, _request, { body, stream }) =>
      writeReply(reply, textField(body, 'response_format') ?? 'json', stream, task),
  };
}

export const openAiTranscriptions = audioFormat('transcription', 'openai-transcriptions', 'transcribe');
export const openAiTranslations = audioFormat('translation', 'openai-translations', 'translate');
