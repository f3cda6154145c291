import { readDashboardBalance } from '../openai-compatible/account.ts';
import { bearerHeaders, openaiCompatible } from '../openai-compatible/index.ts';

/**
 * Type 8 (docs/rules/providers.md#custom-address): the base URL is the complete address of every
 * request, whatever its task, `{model}` in it is the upstream model. There is no address a model
 * list could come from.
 */
export const custom = openaiCompatible({
  slug: 'custom',
  channelTypes: [8],
  defaultBaseUrl: null,
  completeUrl: true,
  models: [],
  without: ['models'],
  also: [
    'image',
    'image-edit',
    'speech',
    'transcription',
    'translation',
    'moderation',
    'rerank',
    'responses',
  ],
  chatServesAll: true,
  address: (_task, call, model) => call.baseUrl.replaceAll('{model}', encodeURIComponent(model)),
  readBalance: (call, effects) =>
    readDashboardBalance(new URL(call.baseUrl).origin, bearerHeaders(call), call, effects),
});
