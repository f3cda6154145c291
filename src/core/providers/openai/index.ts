import { readDashboardBalance } from '../openai-compatible/account.ts';
import { bearerHeaders, openaiCompatible } from '../openai-compatible/index.ts';
import { openAiModels } from './models.ts';

/** Type 1 (OpenAI API reference), and every compatible server at a base URL of its own. */
export const openai = openaiCompatible({
  slug: 'openai',
  channelTypes: [1],
  defaultBaseUrl: 'https://api.openai.com',
  measuresUsage: true,
  endUser: {
    field: 'safety_identifier',
    source: 'https://help.openai.com/en/articles/5428082-incorporating-a-safety-identifier',
    read: '2026-11-28',
  },
  models: openAiModels,
  keepsResponses: true,
  also: [
    'image',
    'image-edit',
    'speech',
    'transcription',
    'translation',
    'moderation',
    'rerank',
    'responses',
    'responses-compact',
    'realtime',
  ],
  readBalance: (call, effects) =>
    readDashboardBalance(call.baseUrl, bearerHeaders(call), call, effects),
});
