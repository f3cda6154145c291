/** Type 24, Google AI Studio (spec, providers-international 3.8). */
import { z } from 'zod';
import { isObject, type JsonValue } from '../../kernel/json.ts';
import { getJson, namesIn } from '../kit/account.ts';
import { countOf, recordOf, textOf } from '../kit/read-json.ts';
import type { Call, Effects, PassThrough, Provider } from '../provider.ts';
import { readGenerateReply } from './decode-chat.ts';
import { GenerateStreamDecoder } from './decode-stream.ts';
import { embedding } from './embedding.ts';
import { writeGenerateBody } from './encode-chat.ts';
import { readGeminiFailure } from './failure.ts';
import { geminiModels } from './models.ts';
import { type GeminiAction, geminiAddress, geminiHeaders, modelsAddress, nativeTarget } from './request.ts';
import { splitGeminiSuffix, thinkingConfig } from './thinking.ts';

/** A native caller's body goes as it is; only a suffix of the model adds a thinking config where there is none. */
const passThrough: PassThrough<unknown> = {
  format: 'gemini-generate',
  target(fields, call) {
    const suffixed = splitGeminiSuffix(call.model, call.options);
    const { action, query } = nativeTarget(call.clientPath);
    const edits: Record<string, JsonValue> = {};
    if (suffixed.suffix !== undefined) {
      const given = fields.get('generationConfig');
      const config: Record<string, JsonValue> = isObject(given) ? { ...(given as Record<string, JsonValue>) } : {};
      const thinking = thinkingConfig(suffixed, { maxOutputTokens: countOf(config.maxOutputTokens) }, undefined, call.options);
      if (config.thinkingConfig === undefined && thinking !== undefined)
        edits.generationConfig = { ...config, thinkingConfig: thinking };
    }
    const address = geminiAddress(call, suffixed.model, action as GeminiAction).split('?', 1)[0] ?? '';
    return { url: address + query, headers: geminiHeaders(call), edits, model: suffixed.model, modelInUrl: true };
  },
};

function fallbackId(call: Call): string {
  return call.now.getTime().toString(36);
}

/** Names without `models/`. The number of pages is capped against an upstream that never ends. */
async function listModels(call: Call, effects: Effects): Promise<string[]> {
  const names: string[] = [];
  let token: string | undefined;
  for (let page = 0; page < 20; page++) {
    const body = recordOf(await getJson(effects, modelsAddress(call, token), geminiHeaders(call)));
    names.push(...namesIn(body?.models, 'name').map((name) => name.replace(/^models\//, '')));
    token = textOf(body?.nextPageToken);
    if (token === undefined) break;
  }
  return names;
}

export const gemini: Provider = {
  slug: 'gemini',
  channelTypes: [24],
  defaultBaseUrl: 'https://generativelanguage.googleapis.com',
  keyFormat: { example: 'AIza…' },
  settings: z.object({}),
  other: { label: 'API version' },
  models: geminiModels,
  operations: {
    chat: {
      passThrough: [passThrough],
      needsInlineImages: true,
      encode(request, call) {
        const { model, body } = writeGenerateBody(request, call);
        const action = request.stream ? 'streamGenerateContent' : 'generateContent';
        return { method: 'POST', url: geminiAddress(call, model, action), headers: geminiHeaders(call), body };
      },
      decode: (body, call) => readGenerateReply(body, fallbackId(call)),
      framing: 'sse',
      createStreamDecoder: (call) => new GenerateStreamDecoder(fallbackId(call)),
    },
    embedding: { ...embedding, passThrough: [passThrough] },
  },
  account: { listModels },
  readFailure: readGeminiFailure,
};
