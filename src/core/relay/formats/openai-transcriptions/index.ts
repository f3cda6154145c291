/** OpenAI transcriptions and translations of speech. */

import type { TranscriptionReply, TranscriptionRequest } from '../../../canonical/calls.ts';
import { compact } from '../../../canonical/kit/read-json.ts';
import type { JsonValue } from '../../../kernel/json.ts';
import type { RequestBody } from '../../body/request-body.ts';
import { openAiFamily } from '../families/openai.ts';
import { writeAudioUsage } from '../shared/audio-usage.ts';
import { callForward } from '../shared/call-forward.ts';
import { eventReply, jsonReply, type WrittenReply } from '../shared/call-reply.ts';
import { type CallFormat, topLevelLimits, wantsStream } from '../shared/caller-format.ts';
import { audioFile, checkSource, temperatureOf, textField } from './fields.ts';
import { measureAudio } from './measure.ts';
import { writeSubtitles } from './subtitles.ts';

const known: ReadonlySet<string> = new Set([
  'model',
  'language',
  'prompt',
  'response_format',
  'temperature',
  'stream',
]);
/** Reply formats that need times, not only the text. */
const timed: ReadonlySet<string> = new Set(['verbose_json', 'srt', 'vtt']);

/** JSON is requested of providers, with times where the requested reply format needs them. */
function readRequest(body: RequestBody, model: string): TranscriptionRequest {
  const extra: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(body.parse()))
    if (!known.has(name)) extra[name] = value;
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
  return compact({
    task,
    language,
    duration,
    text,
    segments,
    words,
    usage: writeAudioUsage(reply.usage),
  });
}

function writeReply(
  reply: TranscriptionReply,
  replyFormat: string,
  stream: boolean,
  task: Task,
): WrittenReply {
  const usage = writeAudioUsage(reply.usage);
  if (stream) {
    const delta = { type: 'transcript.text.delta', delta: reply.text };
    return eventReply([
      delta,
      { type: 'transcript.text.done', ...compact({ text: reply.text, usage }) },
    ]);
  }
  switch (replyFormat) {
    case 'text':
      return { contentType: 'text/plain; charset=utf-8', body: `${reply.text}\n` };
    case 'srt':
    case 'vtt':
      return {
        contentType:
          replyFormat === 'vtt' ? 'text/vtt; charset=utf-8' : 'text/plain; charset=utf-8',
        body: writeSubtitles(reply, replyFormat),
      };
    case 'verbose_json':
      return jsonReply(writeVerbose(reply, task));
    default:
      return jsonReply(compact({ text: reply.text, usage }));
  }
}

/** The requested reply format is read again from the body: providers only return JSON. */
function audioFormat<O extends 'transcription' | 'translation'>(
  operation: O,
  name: 'openai-transcriptions' | 'openai-translations',
  path: string,
  task: Task,
): CallFormat<'transcription' | 'translation'> & { readonly operation: O } {
  return {
    kind: 'call',
    name,
    family: openAiFamily,
    operation,
    routes: { paths: [path] },
    defaultModel: 'whisper-1',
    form: 'required',
    invalidRequest: 'invalid_request',
    check(body) {
      audioFile(body);
      checkSource(body);
      temperatureOf(body);
    },
    streams: wantsStream,
    ...topLevelLimits,
    answerCounts: () => ({}),
    promptFields: ['prompt'],
    measure: measureAudio,
    forward: callForward({ ending: 'transcript.text.done', plain: 'text' }),
    readRequest: (body, { model }) => readRequest(body, model),
    writeReply: (reply, _request, { body, stream }) =>
      writeReply(reply, textField(body, 'response_format') ?? 'json', stream, task),
  };
}

export const openAiTranscriptions = audioFormat(
  'transcription',
  'openai-transcriptions',
  '/v1/audio/transcriptions',
  'transcribe',
);
export const openAiTranslations = audioFormat(
  'translation',
  'openai-translations',
  '/v1/audio/translations',
  'translate',
);
