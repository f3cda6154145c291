/** Type 45 (docs/rules/providers.md#ark). */

import type { Provider } from '../../canonical/provider.ts';
import { forwardMessages } from '../anthropic-messages/forward.ts';
import { openaiCompatible } from '../openai-compatible/index.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { editForArk, editResponsesForArk, thinksByName, writeThinking } from './edit-chat.ts';
import { withImages } from './embedding.ts';
import { readArkFailure } from './failure.ts';
import { imageEdit } from './image.ts';
import { arkModels } from './models.ts';
import { arkPlans, arkRoots } from './roots.ts';
import { speech } from './speech.ts';

const paths = {
  chat: '/chat/completions',
  embedding: '/embeddings',
  image: '/images/generations',
  rerank: '/rerank',
  responses: '/responses',
  models: '/models',
} as const;

const common = openaiCompatible({
  slug: 'volcengine',
  channelTypes: [45],
  defaultBaseUrl: 'https://ark.cn-beijing.volces.com',
  measuresUsage: true,
  keyFormat: { example: 'API key, or appid|access_token for speech' },
  models: arkModels,
  embedsTextOnly: true,
  without: ['completion'],
  keepsResponses: true,
  also: ['image', 'rerank', 'responses'],
  // Ark streams images by events of its own.
  translated: ['image'],
  chatServesAll: true,
  address(task, call, model) {
    const bot = task === 'chat' && model.startsWith('bot');
    return arkRoots(call).openAi + (bot ? '/bots' : '') + paths[task as keyof typeof paths];
  },
  edit: editForArk,
  edits: { responses: editResponsesForArk },
  extend: writeThinking,
  developerRole: false,
  passThrough: [
    forwardMessages((call) => (thinksByName(call.model) ? undefined : arkRoots(call).anthropic)),
  ],
  operations: { 'image-edit': imageEdit, speech },
  readFailure: readArkFailure,
});

const { embedding } = common.operations;

export const volcengine: Provider<OpenAiSettings> = {
  ...common,
  operations: { ...common.operations, embedding: embedding && withImages(embedding) },
  planNames: arkPlans,
};
