/** Bodies of Responses as xAI takes them (docs/rules/providers.md#xai). */
import { compact, listOf, recordsOf } from '../../canonical/kit/read-json.ts';
import { effortFor } from '../../canonical/models/openai.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import type { EditFields, FieldEdits, FieldReader } from '../openai-compatible/model-rules.ts';
import { readGrokName } from './names.ts';

/** xAI refuses the field, or refuses it beside an earlier response: a first message says the same. */
function moveInstructions(field: FieldReader): FieldEdits {
  const instructions = field('instructions');
  if (typeof instructions !== 'string') return {};
  const input = field('input');
  const items = Array.isArray(input)
    ? (input as readonly JsonValue[])
    : [{ role: 'user', content: input ?? '' }];
  const first = instructions === '' ? [] : [{ role: 'system', content: instructions }];
  return { instructions: undefined, input: [...first, ...items] };
}

/** The effort as the model takes it, in the field of this wire; undefined: nothing changes. */
function editEffort(field: FieldReader, model: string, suffix: string | undefined): FieldEdits {
  const given = field('reasoning');
  const reasoning: JsonObject = isObject(given) ? (given as JsonObject) : {};
  const effort = effortFor(model, suffix ?? reasoning.effort);
  if (effort === reasoning.effort) return {};
  const fitted = compact({ ...reasoning, effort });
  return { reasoning: Object.keys(fitted).length > 0 ? fitted : undefined };
}

function addSearch(field: FieldReader): FieldEdits {
  const tools = listOf(field('tools')) as readonly JsonValue[];
  const has = recordsOf(tools).some((tool) => tool.type === 'web_search');
  return has ? {} : { tools: [...tools, { type: 'web_search' }] };
}

export const editResponsesForXai: EditFields = (field, given) => {
  const { model, effort, searches } = readGrokName(given);
  return {
    model,
    edits: {
      ...moveInstructions(field),
      ...editEffort(field, model, effort),
      ...(searches ? addSearch(field) : {}),
    },
  };
};
