/**
 * Transcription by the models that are given the audio itself (Model Studio, API reference of
 * Qwen-ASR). Those for long audio files (`-filetrans`) only take addresses.
 */

import type { MediaFile, TranscriptionReply, TranscriptionRequest } from '../../canonical/calls.ts';
import { audioMediaType, fileDataUri } from '../../canonical/kit/media.ts';
import {
  compact,
  countOf,
  recordOf,
  recordsOf,
  replyObject,
  textOf,
} from '../../canonical/kit/read-json.ts';
import { usageFromOpenAi } from '../../canonical/kit/usage.ts';
import type { OperationAdapter } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { refuseFailure } from './failure.ts';
import { postTo } from './request.ts';

/** Files without a media type are named by their extension. */
function audioUri({ filename, mediaType, bytes }: MediaFile): string {
  const labelled = /^(?:audio|video)\//.test(mediaType);
  const ending = /\.(\w+)$/.exec(filename)?.[1]?.toLowerCase() ?? 'wav';
  return fileDataUri({ mediaType: labelled ? mediaType : audioMediaType(ending), bytes });
}

/** Fields of forms are texts. */
function flagOf(value: JsonValue | undefined): boolean | undefined {
  return value === undefined ? undefined : String(value) === 'true';
}

/**
 * The prompt becomes the context that helps recognition. Temperature is not supported and left out.
 */
function writeBody(
  { file, language, prompt, extra }: TranscriptionRequest,
  model: string,
): JsonObject {
  const context = prompt === undefined ? [] : [{ role: 'system', content: [{ text: prompt }] }];
  const messages = [...context, { role: 'user', content: [{ audio: audioUri(file) }] }];
  return {
    model,
    input: { messages },
    parameters: { asr_options: compact({ language, enable_itn: flagOf(extra.enable_itn) }) },
  };
}

/** Silence yields a reply without text. */
function readReply(body: unknown): TranscriptionReply {
  const reply = replyObject(body);
  refuseFailure(reply);
  const message = recordOf(recordsOf(recordOf(reply.output)?.choices)[0]?.message);
  if (message === undefined) throw new AppError('bad_response_body', { detail: 'no text in it' });
  return {
    text: recordsOf(message.content)
      .map(({ text }) => textOf(text) ?? '')
      .join(''),
    language: textOf(recordsOf(message.annotations)[0]?.language),
    duration: countOf(recordOf(reply.usage)?.seconds),
    usage: usageFromOpenAi(reply.usage),
  };
}

/** Throws AppError('unsupported_feature') for models that take no audio files. */
export const transcription: OperationAdapter<'transcription', OpenAiSettings> = {
  encode(request, call) {
    if (call.model.includes('-filetrans'))
      throw new AppError('unsupported_feature', { detail: `audio files with ${call.model}` });
    return postTo(
      '/api/v1/services/aigc/multimodal-generation/generation',
      call,
      writeBody(request, call.model),
    );
  },
  decode: readReply,
};
