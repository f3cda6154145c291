/**
 * Type 27 (docs/rules/providers.md#perplexity). Bodies are always rebuilt: only what Perplexity
 * lists is sent. Left out silently: tools, seeds, stop sequences, penalties of tokens and whatever
 * else it does not know.
 */
import type { ChatRequest } from '../../canonical/chat.ts';
import { effortOf } from '../../canonical/kit/reasoning.ts';
import { bareBase } from '../../canonical/kit/request-target.ts';
import { openAiAddress, openaiCompatible } from '../openai-compatible/index.ts';
import type { EditFields, FieldEdits } from '../openai-compatible/model-rules.ts';
import { alternateMessages } from './messages.ts';

const chatFields = new Set([
  ...[
    'model',
    'stream',
    'messages',
    'temperature',
    'top_p',
    'max_tokens',
    'frequency_penalty',
    'presence_penalty',
  ],
  ...[
    'search_domain_filter',
    'search_recency_filter',
    'return_images',
    'return_related_questions',
    'search_mode',
  ],
  ...['web_search_options', 'response_format', 'reasoning_effort'],
]);

/** Below 1, which is refused. */
const highestTopP = 0.99;

const editChat: EditFields = (field, model) => {
  const edits: FieldEdits = { messages: alternateMessages(field('messages')) };
  const topP = field('top_p');
  if (typeof topP === 'number' && topP >= 1) edits.top_p = highestTopP;
  return { model, edits };
};

/** Only deep research lets its effort be chosen. */
function writeEffort(request: ChatRequest, model: string): FieldEdits {
  const effort = effortOf(request.reasoning);
  if (request.origin === 'openai-chat' || effort === undefined || !model.includes('deep-research'))
    return {};
  if (effort === 'medium') return { reasoning_effort: effort };
  return {
    reasoning_effort:
      effort === 'none' || effort === 'minimal' || effort === 'low' ? 'low' : 'high',
  };
}

export const perplexity = openaiCompatible({
  slug: 'perplexity',
  channelTypes: [27],
  defaultBaseUrl: 'https://api.perplexity.ai',
  measuresUsage: true,
  statesCost: true,
  keyFormat: { example: 'pplx-…' },
  models: [],
  without: ['completion', 'embedding'],
  also: ['responses'],
  chatServesAll: true,
  alwaysSearches: true,
  address: (task, call) =>
    task === 'chat' ? `${bareBase(call.baseUrl)}/chat/completions` : openAiAddress(task, call),
  chatFields,
  streamOptions: false,
  developerRole: false,
  edit: editChat,
  extend: writeEffort,
});
