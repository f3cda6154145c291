/** Speech as a client format (spec, relay 14; providers-international 3.1). */

import type { SpeechReply, SpeechRequest } from '../../../canonical/calls.ts';
import type { Usage } from '../../../canonical/chat.ts';
import { compact } from '../../../canonical/kit/read-json.ts';
import { AppError } from '../../../kernel/errors.ts';
import { type CallFormat, type CallReplyContext, eventReply, type WrittenReply } from '../shared/call-format.ts';
import { Fields } from '../shared/fields.ts';

const known: ReadonlySet<string> = new Set([
  ...['model', 'input', 'voice', 'instructions', 'speed', 'response_format', 'stream_format'],
]);

export function writeAudioUsage(usage: Usage | undefined) {
  if (usage?.promptTokens === undefined && usage?.completionTokens === undefined) return undefined;
  const { promptTokens: input = 0, completionTokens: output = 0 } = usage;
  return { type: 'tokens', input_tokens: input, output_tokens: output, total_tokens: input + output };
}

function writeReply(reply: SpeechReply, { stream }: CallReplyContext): WrittenReply {
  if (!stream) return { contentType: reply.mediaType, body: reply.bytes };
  const usage = writeAudioUsage(reply.usage);
  return eventReply([
    { type: 'speech.audio.delta', ...{ audio: Buffer.from(reply.bytes).toString('base64') } },
    { type: 'speech.audio.done', ...compact({ usage }) },
  ]);
}

export const openAiSpeech: CallFormat<'speech'> = {
  format: 'openai-speech',
  operation: 'speech',
  defaultModel: 'tts-1',
  check(body) {
    const input = body.get('input');
    if (typeof input !== 'string' || input === '') throw new AppError('invalid_audio_request', { detail: 'input is required' });
  },
  streams: (body) => body.get('stream_format') === 'sse',
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
