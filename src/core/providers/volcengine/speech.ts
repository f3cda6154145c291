/**
 * Speech (docs/rules/providers.md#ark-speech). Volcano's own is another service with keys of its
 * own, `appid|access_token`. Callers get the audio as a whole, so its HTTP interface is used, which
 * takes the same JSON as its WebSocket. Any other base URL is that of an OpenAI-compatible gateway.
 */
import { randomUUID } from 'node:crypto';
import type { SpeechReply, SpeechRequest } from '../../canonical/calls.ts';
import type { ProviderError } from '../../canonical/chat-reply.ts';
import { ReplyFailure } from '../../canonical/kit/failure.ts';
import { audioMediaType } from '../../canonical/kit/media.ts';
import { compact, countOf, replyObject, textOf } from '../../canonical/kit/read-json.ts';
import { jsonHeaders, withClientQuery } from '../../canonical/kit/request-target.ts';
import { splitKey } from '../../canonical/kit/split-key.ts';
import type { Call, OperationAdapter } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { readSpeechReply, writeSpeechBody } from '../openai-compatible/audio.ts';
import { bearerHeaders } from '../openai-compatible/index.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { arkRoots } from './roots.ts';

const volcanoAddress = 'https://openspeech.bytedance.com/api/v1/tts';
const done = 3000;
/** Samples per second. */
const rate = 24_000;

const encodings: Readonly<Record<string, string>> = {
  mp3: 'mp3',
  wav: 'wav',
  pcm: 'pcm',
  opus: 'ogg_opus',
};

/** Volcano's documented codes; what is not here is a failure of its servers. */
const statuses: Readonly<Record<number, number>> = {
  3001: 400,
  3003: 429,
  3005: 503,
  3010: 400,
  3011: 400,
  3030: 504,
  3050: 400,
};

function isVolcano(call: Call): boolean {
  const { host } = arkRoots(call);
  return URL.canParse(host) && new URL(host).hostname.endsWith('.volces.com');
}

function formatOf(request: SpeechRequest | undefined): string {
  return request?.format ?? 'mp3';
}

/** The voice determines the model; instructions are not supported and left out. */
function writeVolcano(request: SpeechRequest, appid: string, token: string): JsonObject {
  const encoding = encodings[formatOf(request)];
  if (encoding === undefined)
    throw new AppError('unsupported_feature', { detail: `speech as ${request.format}` });
  return {
    app: { appid, token, cluster: 'volcano_tts' },
    user: { uid: 'gateway' },
    audio: compact({ voice_type: request.voice, encoding, speed_ratio: request.speed, rate }),
    request: { reqid: randomUUID(), text: request.input, operation: 'query' },
  };
}

function volcanoError(code: number | undefined, message: unknown): ProviderError {
  const status = code === undefined ? 502 : (statuses[code] ?? 502);
  return {
    status,
    message: textOf(message),
    type: 'volcengine_error',
    code: code === undefined ? undefined : String(code),
  };
}

function readVolcano(body: unknown, request: SpeechRequest | undefined): SpeechReply {
  const reply = replyObject(body);
  const code = countOf(reply.code);
  if (code !== done) throw new ReplyFailure(volcanoError(code, reply.message));
  const bytes = Buffer.from(textOf(reply.data) ?? '', 'base64');
  if (bytes.length === 0) throw new AppError('bad_response_body', { detail: 'no audio in it' });
  return { mediaType: audioMediaType(formatOf(request)), bytes };
}

function gatewayTarget(call: Call) {
  return {
    url: `${arkRoots(call).host}/v1/audio/speech`,
    headers: { ...jsonHeaders(false), ...bearerHeaders(call) },
  };
}

export const speech: OperationAdapter<'speech', OpenAiSettings> = {
  passThrough: [
    {
      format: 'openai-speech',
      target(_fields, call) {
        if (isVolcano(call)) return undefined;
        const { url, headers } = gatewayTarget(call);
        return { url: withClientQuery(url, call), headers };
      },
    },
  ],
  replyType: 'bytes',
  encode(request, call) {
    if (!isVolcano(call))
      return { method: 'POST', ...gatewayTarget(call), body: writeSpeechBody(request, call.model) };
    const { appid, access_token: token } = splitKey(call.key, ['appid', 'access_token']);
    return {
      method: 'POST',
      url: volcanoAddress,
      headers: { ...jsonHeaders(false), authorization: `Bearer;${token}` },
      body: writeVolcano(request, appid, token),
    };
  },
  decode: (body, call, request) =>
    isVolcano(call) ? readVolcano(body, request) : readSpeechReply(body),
};
