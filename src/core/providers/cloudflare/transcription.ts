/** Speech to text by Whisper (docs/rules/providers.md#cloudflare-run). */

import type { TranscriptionReply, TranscriptionRequest } from '../../canonical/calls.ts';
import { compact, recordOf, textOf } from '../../canonical/kit/read-json.ts';
import { jsonHeaders } from '../../canonical/kit/request-target.ts';
import type { Call, OperationAdapter } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonValue } from '../../kernel/json.ts';
import { bearerHeaders } from '../openai-compatible/index.ts';
import { runAddress } from './address.ts';
import { resultOf } from './failure.ts';

/** The turbo model takes JSON, the others nothing but the audio. */
function takesJson({ model }: Call): boolean {
  return model.includes('whisper-large-v3-turbo');
}

function writeTranscription({ file, language, prompt }: TranscriptionRequest) {
  const audio = Buffer.from(file.bytes).toString('base64');
  return compact({ audio, language, initial_prompt: prompt });
}

/** Throws ReplyFailure, or AppError('bad_response_body') without a text. */
function readTranscription(body: unknown): TranscriptionReply {
  const { text, segments, words, transcription_info } = resultOf(body);
  if (typeof text !== 'string')
    throw new AppError('bad_response_body', { detail: 'no text in it' });
  const info = recordOf(transcription_info);
  return {
    text,
    language: textOf(info?.language),
    duration: typeof info?.duration === 'number' ? info.duration : undefined,
    segments: segments as JsonValue | undefined,
    words: words as JsonValue | undefined,
  };
}

/** Language and prompt go to the turbo model only; temperature to none. */
export const transcription: OperationAdapter<'transcription'> = {
  encode: (request, call) => {
    const json = takesJson(call);
    const contentType = json ? 'application/json' : 'application/octet-stream';
    return {
      method: 'POST',
      url: runAddress(call),
      headers: { ...jsonHeaders(false), ...bearerHeaders(call), 'content-type': contentType },
      body: json ? writeTranscription(request) : request.file.bytes,
    };
  },
  decode: readTranscription,
};
