/**
 * Speech by `t2a_v2`: the audio comes as hexadecimal digits in JSON
 * (docs/rules/providers.md#minimax-media).
 */

import type { SpeechRequest } from '../../canonical/calls.ts';
import { audioMediaType } from '../../canonical/kit/media.ts';
import { compact, countOf, recordOf, replyObject, textOf } from '../../canonical/kit/read-json.ts';
import { jsonHeaders } from '../../canonical/kit/request-target.ts';
import type { OperationAdapter } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { bearerHeaders } from '../openai-compatible/index.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { minimaxAddress } from './address.ts';
import { refuseFailure } from './failure.ts';

/** MiniMax's voices for OpenAI's; any other name is one of its own. */
const voices: Readonly<Record<string, string>> = {
  alloy: 'female-chengshu',
  echo: 'male-qn-qingse',
  fable: 'male-qn-jingying',
  onyx: 'presenter_male',
  nova: 'presenter_female',
  shimmer: 'audiobook_female_1',
};

function formatOf({ format, extra }: SpeechRequest): string {
  return format ?? textOf(recordOf(extra.audio_setting)?.format) ?? 'mp3';
}

/**
 * MiniMax's own fields pass (`language_boost`, volume and pitch in `voice_setting`); instructions
 * are not known there.
 */
function writeBody(request: SpeechRequest, model: string): JsonObject {
  const { extra, voice, speed } = request;
  const named = compact({
    voice_id: voice === undefined ? undefined : (voices[voice] ?? voice),
    speed,
  });
  return {
    ...extra,
    model,
    text: request.input,
    stream: false,
    voice_setting: { ...(recordOf(extra.voice_setting) as JsonObject | undefined), ...named },
    audio_setting: {
      ...(recordOf(extra.audio_setting) as JsonObject | undefined),
      format: formatOf(request),
    },
    output_format: 'hex',
  };
}

/** Charged by characters, which stand as prompt tokens. */
export const speech: OperationAdapter<'speech', OpenAiSettings> = {
  encode: (request, call) => ({
    method: 'POST',
    url: minimaxAddress('/v1/t2a_v2', call),
    headers: { ...jsonHeaders(false), ...bearerHeaders(call) },
    body: writeBody(request, call.model),
  }),
  decode(body, _call, request) {
    const reply = replyObject(body);
    refuseFailure(reply);
    const bytes = Buffer.from(textOf(recordOf(reply.data)?.audio) ?? '', 'hex');
    if (bytes.length === 0) throw new AppError('bad_response_body', { detail: 'no audio in it' });
    const characters = countOf(recordOf(reply.extra_info)?.usage_characters);
    return {
      mediaType: audioMediaType(request === undefined ? 'mp3' : formatOf(request)),
      bytes,
      usage:
        characters === undefined
          ? undefined
          : {
              promptTokens: characters,
              completionTokens: 0,
              raw: [{ usage_characters: characters }],
            },
    };
  },
};
