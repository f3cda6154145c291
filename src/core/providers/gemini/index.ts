/** Type 24, Google AI Studio (docs/rules/providers.md#gemini-addresses). */

import { getJson, namesIn, readPages } from '../../canonical/kit/account.ts';
import { compact, listOf, recordOf, textOf } from '../../canonical/kit/read-json.ts';
import { continuesAnswers, refusedConfig } from '../../canonical/models/gemini.ts';
import type { PassThrough } from '../../canonical/pass-through.ts';
import type { AccountAdapter, Call, Effects, Provider } from '../../canonical/provider.ts';
import { isObject, type JsonObject } from '../../kernel/json.ts';
import { z } from '../../kernel/zod.ts';
import { readGeminiList } from '../../models/sources/vendor-lists.ts';
import { createGeminiDecoder, readGeminiReply, writeGeminiBody } from './chat.ts';
import { countGeminiTokens } from './count.ts';
import { embedding } from './embedding.ts';
import { takesTool } from './encode-chat.ts';
import { isGoogleAddress } from './encode-contents.ts';
import { readGeminiFailure } from './failure.ts';
import { geminiFields } from './fields.ts';
import { image } from './image.ts';
import { checkImages } from './limits.ts';
import { nativeEdits } from './native.ts';
import {
  type GeminiAction,
  geminiAddress,
  geminiHeaders,
  modelsAddress,
  nativeTarget,
} from './request.ts';
import { splitGeminiSuffix } from './thinking.ts';

/** A native caller's body is forwarded unchanged except for what a suffix requests. */
const passThrough: PassThrough<unknown> = {
  format: 'gemini-generate',
  target(fields, call) {
    const suffixed = splitGeminiSuffix(call.model, call.options);
    const { action, query } = nativeTarget(call.clientPath);
    const edits = nativeEdits(fields, suffixed, call);
    const address =
      geminiAddress(call, suffixed.model, action as GeminiAction).split('?', 1)[0] ?? '';
    return {
      url: address + query,
      headers: geminiHeaders(call),
      edits,
      model: suffixed.model,
      modelInUrl: true,
    };
  },
};

/**
 * Without what the model refuses at this address: penalties, which Vertex takes
 * (docs/rules/providers.md#gemini-generations).
 */
function withoutRefused(body: JsonObject, model: string): JsonObject {
  const refused = refusedConfig(model);
  if (refused.length === 0 || !isObject(body.generationConfig)) return body;
  const kept = Object.entries(body.generationConfig as JsonObject).filter(
    ([name]) => !refused.includes(name),
  );
  return compact({
    ...body,
    generationConfig: kept.length > 0 ? Object.fromEntries(kept) : undefined,
  });
}

function readModels(call: Call, effects: Effects): Promise<unknown[]> {
  return readPages(async (token) => {
    const body = recordOf(await getJson(effects, modelsAddress(call, token), geminiHeaders(call)));
    return { entries: listOf(body?.models), next: textOf(body?.nextPageToken) };
  });
}

const account: AccountAdapter = {
  /** Names without `models/`. */
  listModels: async (call, effects) =>
    namesIn(await readModels(call, effects), 'name').map((name) => name.replace(/^models\//, '')),
  describeModels: async (call, effects) => readGeminiList(await readModels(call, effects)),
};

export const gemini: Provider = {
  slug: 'gemini',
  channelTypes: [24],
  defaultBaseUrl: 'https://generativelanguage.googleapis.com',
  measuresUsage: true,
  keyFormat: { example: 'AIza…' },
  settings: z.object({}),
  other: { label: geminiFields.other.label.en },
  models: [],
  operations: {
    chat: {
      passThrough: [passThrough],
      needsInlineImages: true,
      readsAddress: isGoogleAddress,
      check: checkImages,
      takesTool,
      encode(request, call) {
        const { model, body: written } = writeGeminiBody(request, call);
        const body = withoutRefused(written, model);
        const action = request.stream ? 'streamGenerateContent' : 'generateContent';
        return {
          method: 'POST',
          url: geminiAddress(call, model, action),
          headers: geminiHeaders(call),
          body,
        };
      },
      decode: readGeminiReply,
      framing: 'sse',
      createStreamDecoder: createGeminiDecoder,
      streamOnly: continuesAnswers,
    },
    embedding,
    image,
    'image-edit': image,
    countGeminiTokens,
  },
  account,
  readFailure: readGeminiFailure,
  accountFaultStatuses: [403],
};
