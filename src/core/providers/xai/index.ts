/**
 * Type 48 (docs/rules/providers.md#xai). What xAI leaves out of its completion tokens is added by
 * kit/usage.ts.
 */

import { effortFor } from '../../canonical/models/openai.ts';
import { isObject, type JsonObject } from '../../kernel/json.ts';
import { factsOf } from '../../models/known-models.ts';
import { askEffort } from '../openai-compatible/encode-chat.ts';
import { openaiCompatible } from '../openai-compatible/index.ts';
import {
  dropFields,
  type EditFields,
  type FieldEdits,
  renameLimit,
} from '../openai-compatible/model-rules.ts';
import { wrapErrors } from '../openai-compatible/rewrite.ts';
import { isSearching, readGrokName } from './names.ts';
import { editResponsesForXai } from './responses.ts';

const editForXai: EditFields = (field, given) => {
  const edits: FieldEdits = {};
  const { model, effort, searches } = readGrokName(given);
  if (searches) {
    // Only servers without Responses get here: the search of older interfaces.
    const requested = field('search_parameters');
    edits.search_parameters = {
      ...(isObject(requested) ? (requested as JsonObject) : {}),
      mode: 'on',
    };
  }
  const wanted = field('reasoning_effort');
  const fitted = effortFor(model, effort ?? wanted);
  if (fitted !== wanted) edits.reasoning_effort = fitted;
  const { drops = [], takes = {} } = factsOf(model);
  if (takes.max_completion_tokens === true) Object.assign(edits, renameLimit(field));
  return { model, edits: { ...edits, ...dropFields(field, drops) } };
};

export const xai = openaiCompatible({
  slug: 'xai',
  channelTypes: [48],
  defaultBaseUrl: 'https://api.x.ai',
  measuresUsage: true,
  endUser: {
    field: 'user',
    source:
      'https://reference.langchain.com/javascript/interfaces/_langchain_xai.XAIResponsesCreateParamsStreaming.html',
    read: '2026-11-28',
  },
  statesCost: true,
  keyFormat: { example: 'xai-…' },
  models: [],
  without: ['embedding'],
  keepsResponses: true,
  also: ['image', 'responses'],
  chatServesAll: true,
  // Live Search, which chats had, is switched off; the tool that took its place is one of Responses.
  byResponses: isSearching,
  edit: editForXai,
  edits: {
    responses: editResponsesForXai,
    image: (field, model) => ({ model, edits: dropFields(field, ['size', 'quality', 'style']) }),
  },
  extend: askEffort,
  rewrite: wrapErrors,
});
