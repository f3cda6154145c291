/** Speech and transcription in OpenAI's wire (OpenAI API reference, Audio). */

import type {
  SpeechReply,
  SpeechRequest,
  TranscriptionReply,
  TranscriptionRequest,
} from '../../canonical/calls.ts';
import { errorFromBody, ReplyFailure } from '../../canonical/kit/failure.ts';
import { compact, replyObject, textOf } from '../../canonical/kit/read-json.ts';
import { usageFromOpenAi } from '../../canonical/kit/usage.ts';
import type { RawReply } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';

export function writeSpeechBody(request: SpeechRequest, model: string): JsonObject {
  return {
    ...request.extra,
    ...compact({
      model,
      input: request.input,
      voice: request.voice,
      instructions: request.instructions,
      speed: request.speed,
      response_format: request.format,
    }),
  };
}

export function readSpeechReply(body: unknown): SpeechReply {
  return body as RawReply;
}

/** The texts of the form; the file stands behind them. */
export function writeTranscriptionFields(request: TranscriptionRequest, model: string): JsonObject {
  return {
    ...compact({
      model,
      language: request.language,
      prompt: request.prompt,
      temperature: request.temperature,
      response_format: request.responseFormat,
    }),
    ...request.extra,
  };
}

/** JSON of either detail. Throws ReplyFailure, or AppError('bad_response_body') without a text. */
export function readTranscriptionReply(body: unknown): TranscriptionReply {
  const root = replyObject(body);
  if (root.error !== undefined && root.error !== null) throw new ReplyFailure(errorFromBody(root));
  if (typeof root.text !== 'string')
    throw new AppError('bad_response_body', { detail: 'no text in it' });
  const duration = Number(root.duration);
  return {
    text: root.text,
    language: textOf(root.language),
    duration: Number.isFinite(duration) && root.duration !== undefined ? duration : undefined,
    segments: root.segments as TranscriptionReply['segments'],
    words: root.words as TranscriptionReply['words'],
    usage: usageFromOpenAi(root.usage),
  };
}
