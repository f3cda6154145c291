/** OpenAI speech. */

import type { SpeechReply, SpeechRequest } from '../../../canonical/calls.ts';
import { compact } from '../../../canonical/kit/read-json.ts';
import { AppError } from '../../../kernel/errors.ts';
import { openAiFamily } from '../families/openai.ts';
import { writeAudioUsage } from '../shared/audio-usage.ts';
import { callForward } from '../shared/call-forward.ts';
import { type CallReplyContext, eventReply, type WrittenReply } from '../shared/call-reply.ts';
import { type CallFormat, topLevelLimits } from '../shared/caller-format.ts';
import { countableField } from '../shared/countable-field.ts';
import { Fields } from '../shared/fields.ts';
import { measureSpeech } from './measure.ts';

const known: ReadonlySet<string> = new Set([
  'model',
  'input',
  'voice',
  'instructions',
  'speed',
  'response_format',
  'stream_format',
]);

function writeReply(reply: SpeechReply, { stream }: CallReplyContext): WrittenReply {
  if (!stream) return { contentType: reply.mediaType, body: reply.bytes };
  const usage = writeAudioUsage(reply.usage);
  return eventReply([
    { type: 'speech.audio.delta', audio: Buffer.from(reply.bytes).toString('base64') },
    { type: 'speech.audio.done', ...compact({ usage }) },
  ]);
}

export const openAiSpeech: CallFormat<'speech'> = {
  kind: 'call',
  name: 'openai-speech',
  family: openAiFamily,
  operation: 'speech',
  routes: { paths: ['/v1/audio/speech'] },
  defaultModel: 'tts-1',
  invalidRequest: 'invalid_request',
  check(body) {
    const input = body.get('input');
    if (typeof input !== 'string' || input === '')
      throw new AppError('invalid_audio_request', { detail: 'input is required' });
  },
  streams: (body) => body.get('stream_format') === 'sse',
  ...topLevelLimits,
  promptFields: ['input', 'instructions'],
  countableInput: countableField('input'),
  measure: measureSpeech,
  forward: callForward({ ending: 'speech.audio.done', plain: 'bytes' }),
  readRequest(body, { model }): SpeechRequest {
    const fields = new Fields(body.parse(), 'invalid_audio_request');
    return {
      model,
      input: fields.requiredText('input'),
      voice: fields.text('voice'),
      instructions: fields.text('instructions'),
      speed: fields.number('speed'),
      format: fields.text('response_format'),
      extra: fields.without(known),
    };
  },
  writeReply: (reply, _request, context) => writeReply(reply, context),
};
