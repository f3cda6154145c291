/**
 * Type 48 (docs/rules/providers.md#xai). What xAI leaves out of its completion tokens is added by
 * kit/usage.ts.
 */

import type { ChatRequest } from '../../canonical/chat.ts';
import { effortOf } from '../../canonical/kit/reasoning.ts';
import { isObject, type JsonObject } from '../../kernel/json.ts';
import { openaiCompatible } from '../openai-compatible/index.ts';
import {
  dropFields,
  type EditFields,
  type FieldEdits,
  renameLimit,
} from '../openai-compatible/model-rules.ts';
import { wrapErrors } from '../openai-compatible/rewrite.ts';

const models = [
  ...[
    'grok-4',
    'grok-4-fast-reasoning',
    'grok-4-fast-non-reasoning',
    'grok-code-fast-1',
    'grok-3',
    'grok-3-mini',
  ],
  ...['grok-3-beta', 'grok-3-mini-beta', 'grok-3-fast-beta', 'grok-3-mini-fast-beta'],
  ...['grok-3-mini-beta-high', 'grok-3-mini-beta-low', 'grok-3-mini-beta-medium'],
  ...['grok-3-mini-fast-beta-high', 'grok-3-mini-fast-beta-low', 'grok-3-mini-fast-beta-medium'],
  ...['grok-2-image', 'grok-2', 'grok-2-vision', 'grok-beta', 'grok-vision-beta'],
] as const;

const searchSuffix = '-search';
const effortSuffix = /-(high|medium|low)$/;

function isMini(model: string): boolean {
  return model.startsWith('grok-3-mini');
}

/** Such models refuse penalties and stop sequences. */
function isThinking(model: string): boolean {
  if (model.includes('non-reasoning')) return false;
  return isMini(model) || model.startsWith('grok-4') || model.startsWith('grok-code');
}

const editForXai: EditFields = (field, given) => {
  const edits: FieldEdits = {};
  let model = given;
  if (model.endsWith(searchSuffix)) {
    model = model.slice(0, -searchSuffix.length);
    const requested = field('search_parameters');
    edits.search_parameters = {
      ...(isObject(requested) ? (requested as JsonObject) : {}),
      mode: 'on',
    };
  }
  if (isMini(model)) {
    const effort = effortSuffix.exec(model)?.[1];
    if (effort !== undefined) edits.reasoning_effort = effort;
    model = model.replace(effortSuffix, '');
    Object.assign(edits, renameLimit(field));
  }
  if (isThinking(model))
    Object.assign(edits, dropFields(field, ['presence_penalty', 'frequency_penalty', 'stop']));
  return { model, edits };
};

/** Only the mini models take an effort, and only two of them. */
function writeEffort(request: ChatRequest, model: string): FieldEdits {
  const effort = effortOf(request.reasoning);
  if (request.origin === 'openai-chat' || effort === undefined || !isMini(model)) return {};
  return {
    reasoning_effort:
      effort === 'none' || effort === 'minimal' || effort === 'low' ? 'low' : 'high',
  };
}

export const xai = openaiCompatible({
  slug: 'xai',
  channelTypes: [48],
  defaultBaseUrl: 'https://api.x.ai',
  measuresUsage: true,
  keyFormat: { example: 'xai-…' },
  models,
  without: ['embedding'],
  keepsResponses: true,
  also: ['image', 'responses'],
  chatServesAll: true,
  edit: editForXai,
  edits: {
    image: (field, model) => ({ model, edits: dropFields(field, ['size', 'quality', 'style']) }),
  },
  extend: writeEffort,
  rewrite: wrapErrors,
});
