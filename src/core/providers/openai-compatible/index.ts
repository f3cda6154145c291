/**
 * Providers that speak OpenAI's wire: `openaiCompatible({slug, channelTypes, …})` is one of them.
 */

import { namesIn } from '../../canonical/kit/account.ts';
import { readFailure } from '../../canonical/kit/failure.ts';
import type { BodyFields, PassThrough } from '../../canonical/pass-through.ts';
import type { Call, Effects, OperationAdapter, Provider } from '../../canonical/provider.ts';
import { readOpenAiList } from '../../models/sources/vendor-lists.ts';
import type { WireFormat } from '../../vocabulary/wire-formats.ts';
import { readOpenAiModels } from './account.ts';
import {
  readSpeechReply,
  readTranscriptionReply,
  writeSpeechBody,
  writeTranscriptionFields,
} from './audio.ts';
import { chatOperation } from './chat.ts';
import { holdsTokens, readEmbeddingReply, writeEmbeddingBody } from './embedding.ts';
import { readImageReply, writeImageBody, writeImageFiles } from './image.ts';
import { realtimeInterface } from './realtime.ts';
import { createRequests } from './requests.ts';
import { readRerankReply, writeRerankBody } from './rerank.ts';
import { type OpenAiSettings, openAiSettings } from './settings.ts';
import type { OpenAiCompatible, OpenAiTask } from './vendor.ts';

export { bearerHeaders, type OpenAiCompatible, type OpenAiTask, openAiAddress } from './vendor.ts';

export function openaiCompatible(vendor: OpenAiCompatible): Provider<OpenAiSettings> {
  const requests = createRequests(vendor);
  const without = new Set<OpenAiTask>(vendor.without);
  const also = new Set<OpenAiTask>(vendor.also);
  const translated = new Set<OpenAiTask>(vendor.translated);

  const forwarded = (format: WireFormat, task: OpenAiTask): PassThrough<OpenAiSettings>[] => {
    if (translated.has(task)) return [];
    const rewrite = task === 'completion' ? vendor.rewrite : undefined;
    return [{ format, target: (fields, call) => requests.forward(task, fields, call), rewrite }];
  };

  const embeddingPassThrough = forwarded('openai-embeddings', 'embedding').map((entry) => ({
    ...entry,
    target: (fields: BodyFields, call: Call<OpenAiSettings>) =>
      vendor.embedsTextOnly === true && holdsTokens(fields.get('input'))
        ? undefined
        : entry.target(fields, call),
  }));
  const embedding: OperationAdapter<'embedding', OpenAiSettings> = {
    passThrough: embeddingPassThrough,
    encode: (request, call) =>
      requests.post('embedding', call, writeEmbeddingBody(request, call.model)),
    decode: readEmbeddingReply,
  };

  const audio = <T extends 'transcription' | 'translation'>(
    task: T,
    format: WireFormat,
  ): OperationAdapter<T, OpenAiSettings> => ({
    passThrough: forwarded(format, task),
    encode: (request, call) =>
      requests.postForm(task, call, writeTranscriptionFields(request, call.model), [
        ['file', request.file],
      ]),
    decode: readTranscriptionReply,
  });

  const rare: Provider<OpenAiSettings>['operations'] = {
    moderation: { passThrough: forwarded('openai-moderations', 'moderation') },
    image: {
      passThrough: forwarded('openai-images', 'image'),
      encode: (request, call) => requests.post('image', call, writeImageBody(request, call.model)),
      decode: readImageReply,
    },
    'image-edit': {
      passThrough: forwarded('openai-image-edits', 'image-edit'),
      encode: (request, call) =>
        requests.postForm(
          'image-edit',
          call,
          writeImageBody(request, call.model),
          writeImageFiles(request),
        ),
      decode: readImageReply,
    },
    speech: {
      passThrough: forwarded('openai-speech', 'speech'),
      replyType: 'bytes',
      encode: (request, call) =>
        requests.post('speech', call, writeSpeechBody(request, call.model)),
      decode: readSpeechReply,
    },
    transcription: audio('transcription', 'openai-transcriptions'),
    translation: audio('translation', 'openai-translations'),
    rerank: {
      // Never passed through: callers get one shape, best first, from any vendor
      // (docs/rules/providers.md#rerank-replies).
      encode: (request, call) =>
        requests.post('rerank', call, writeRerankBody(request, call.model)),
      decode: readRerankReply,
    },
    realtime: {
      target: (call) => ({
        url: requests.addressOf('realtime', call).replace(/^http/, 'ws'),
        headers: { ...realtimeInterface(call), ...requests.headers(call) },
      }),
    },
  };

  const readModels = (call: Call<OpenAiSettings>, effects: Effects) =>
    readOpenAiModels(requests.addressOf('models', call), requests.headers(call), effects);

  return {
    slug: vendor.slug,
    channelTypes: vendor.channelTypes,
    defaultBaseUrl: vendor.defaultBaseUrl,
    measuresUsage: vendor.measuresUsage,
    statesCost: vendor.statesCost,
    endUser: vendor.endUser,
    answerImages: vendor.answerImages,
    ownNames: vendor.ownNames,
    completeUrl: vendor.completeUrl,
    keyFormat: vendor.keyFormat ?? { example: 'sk-…' },
    settings: vendor.settings ?? openAiSettings,
    other: vendor.other,
    serves: vendor.serves,
    models: vendor.models,
    operations: {
      chat: without.has('chat') ? undefined : chatOperation(vendor, requests),
      completion: without.has('completion')
        ? undefined
        : { passThrough: forwarded('openai-completions', 'completion') },
      embedding: without.has('embedding') ? undefined : embedding,
      ...Object.fromEntries(Object.entries(rare).filter(([task]) => also.has(task as OpenAiTask))),
      ...vendor.operations,
    },
    account: {
      ...(without.has('models')
        ? {}
        : {
            listModels: async (call, effects) => namesIn(await readModels(call, effects), 'id'),
            describeModels: async (call, effects) =>
              readOpenAiList(await readModels(call, effects), vendor.slug),
          }),
      readBalance: vendor.readBalance,
    },
    readFailure: vendor.readFailure ?? readFailure,
    keepsResponses: vendor.keepsResponses,
  };
}
