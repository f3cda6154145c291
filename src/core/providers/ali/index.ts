/**
 * Type 17, DashScope, also called Model Studio and Bailian
 * (docs/rules/providers.md#dashscope-addresses).
 */

import type { OperationAdapter, Provider } from '../../canonical/provider.ts';
import { forwardMessages } from '../anthropic-messages/forward.ts';
import { openaiCompatible } from '../openai-compatible/index.ts';
import { dropFields } from '../openai-compatible/model-rules.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { editForAli, requestsSearch, writeThinking } from './edit-chat.ts';
import { nativeEmbedding } from './embedding.ts';
import { readAliFailure } from './failure.ts';
import { aliFields } from './fields.ts';
import { images } from './image.ts';
import { aliModels } from './models.ts';
import { nativeChat } from './native.ts';
import { aliHeaders, aliRoot } from './request.ts';
import { rerank } from './rerank.ts';
import { aliSettings } from './settings.ts';
import { speech } from './speech.ts';
import { transcription } from './transcription.ts';
import { aliVideos } from './video.ts';

const paths = {
  chat: '/compatible-mode/v1/chat/completions',
  completion: '/compatible-mode/v1/completions',
  embedding: '/compatible-mode/v1/embeddings',
  responses: '/api/v2/apps/protocols/compatible-mode/v1/responses',
  models: '/compatible-mode/v1/models',
} as const;

const compatible = openaiCompatible({
  slug: 'ali',
  channelTypes: [17],
  defaultBaseUrl: 'https://dashscope.aliyuncs.com',
  measuresUsage: true,
  // It becomes a header.
  other: { label: aliFields.other.label.en, pattern: /^[\x20-\x7e]+$/ },
  settings: aliSettings,
  models: aliModels,
  keepsResponses: true,
  also: ['responses'],
  chatServesAll: true,
  address: (task, call) => aliRoot(call) + paths[task as keyof typeof paths],
  headers: aliHeaders,
  edit: editForAli,
  // Vectors come as numbers only; for callers that request base64 they are encoded here.
  edits: {
    embedding: (field, model) => ({ model, edits: dropFields(field, ['encoding_format']) }),
  },
  translated: ['embedding'],
  extend: writeThinking,
  developerRole: false,
  passThrough: [
    forwardMessages(
      (call) =>
        call.model.toLowerCase().includes('qwen') ? `${aliRoot(call)}/apps/anthropic` : undefined,
      (call) => aliHeaders(call, false),
    ),
  ],
  operations: { image: images, 'image-edit': images, rerank, speech, transcription },
  readFailure: readAliFailure,
});

type ChatAdapter = OperationAdapter<'chat', OpenAiSettings>;

/**
 * Only chat completions have a field for the search that a model's name requests: other bodies are
 * translated to them.
 */
function withSearches(chat: ChatAdapter): ChatAdapter {
  const passThrough = chat.passThrough?.map((entry): typeof entry => {
    if (entry.format === 'openai-chat') return entry;
    return {
      ...entry,
      target: (fields, call) =>
        requestsSearch(call.model) ? undefined : entry.target(fields, call),
    };
  });
  return { ...chat, passThrough };
}

const { completion, chat, ...operations } = compatible.operations;

/** Chats of every caller are translated: no caller uses DashScope's own format. */
const native: Provider<OpenAiSettings> = {
  ...compatible,
  tasks: aliVideos,
  slug: 'ali-native',
  operations: { ...operations, chat: nativeChat, embedding: nativeEmbedding },
};

export const ali: Provider<OpenAiSettings> = {
  ...compatible,
  tasks: aliVideos,
  operations: { ...operations, completion, chat: chat && withSearches(chat) },
  variants: [{ fits: ({ setting }) => setting.use_native === true, provider: native }],
};
