/**
 * What OpenAI's models refuse or want differently (docs/rules/providers.md#openai-models). One
 * function for forwarded bodies and for encoded ones: it looks at fields and names the changes.
 */

import { mapChanged } from '../../canonical/kit/map-changed.ts';
import { effortFor, openAiFacts } from '../../canonical/models/openai.ts';
import type { Call } from '../../canonical/provider.ts';
import { isObject, type JsonValue } from '../../kernel/json.ts';
import { type ReasoningEffort, reasoningEfforts } from '../../vocabulary/reasoning-efforts.ts';
import type { OpenAiSettings } from './settings.ts';

/** Fields to set; undefined: to remove. */
export type FieldEdits = Record<string, JsonValue | undefined>;
/** Looks at one top-level field of the body. */
export type FieldReader = (name: string) => JsonValue | undefined;
/** The upstream model and the changes a body needs for it. */
export interface ModelEdits {
  readonly model: string;
  readonly edits: FieldEdits;
}
export type EditFields = (
  field: FieldReader,
  model: string,
  call: Call<OpenAiSettings>,
) => ModelEdits;

const effortSuffixes = reasoningEfforts.map((effort) => ({ effort, suffix: `-${effort}` }));

/**
 * The model without an effort at its end. `max` is one only where the model takes it: names of
 * models end in it, too.
 */
export function splitEffort(model: string): {
  readonly model: string;
  readonly effort?: ReasoningEffort;
} {
  for (const { effort, suffix } of effortSuffixes) {
    if (!model.endsWith(suffix)) continue;
    const bare = model.slice(0, -suffix.length);
    const { efforts = [] } = openAiFacts(bare);
    if (efforts.length > 0 && (effort !== 'max' || efforts.includes(effort)))
      return { model: bare, effort };
  }
  return { model };
}

/**
 * The messages with a leading `system` turned into `developer`; undefined where nothing changes.
 */
function developerMessages(messages: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(messages)) return undefined;
  const first: unknown = messages[0];
  if (!isObject(first) || first.role !== 'system') return undefined;
  return [{ ...first, role: 'developer' } as JsonValue, ...messages.slice(1)];
}

/**
 * The messages with the role `developer`, which few servers know, under its older name; undefined
 * where nothing changes.
 */
export function olderRoles(messages: JsonValue | undefined): JsonValue | undefined {
  return mapChanged(messages, (message) =>
    isObject(message) && message.role === 'developer'
      ? ({ ...message, role: 'system' } as JsonValue)
      : message,
  );
}

/** `max_tokens` under the name it has for models that think; a limit of that name goes first. */
export function renameLimit(field: FieldReader): FieldEdits {
  const limit = field('max_tokens');
  if (limit === undefined) return {};
  const free = limit !== null && (field('max_completion_tokens') ?? null) === null;
  return free ? { max_tokens: undefined, max_completion_tokens: limit } : { max_tokens: undefined };
}

/** Edits that take these fields out where they are. */
export function dropFields(field: FieldReader, names: readonly string[]): FieldEdits {
  return Object.fromEntries(
    names.filter((name) => field(name) !== undefined).map((name) => [name, undefined]),
  );
}

/** The effort as the model takes it, where that is another one than the caller's. */
export function editEffort(field: FieldReader, model: string): FieldEdits {
  const given = field('reasoning_effort');
  const fitted = effortFor(model, given);
  return fitted === given ? {} : { reasoning_effort: fitted };
}

export const editForOpenAi: EditFields = (field, given) => {
  const { model, effort } = splitEffort(given);
  const { drops = [], takes = {}, vendor } = openAiFacts(model);
  if (vendor === undefined) return { model: given, edits: {} };

  const edits =
    effort === undefined
      ? editEffort(field, model)
      : { reasoning_effort: effortFor(model, effort) };
  const wanted = 'reasoning_effort' in edits ? edits.reasoning_effort : field('reasoning_effort');
  if (takes.max_completion_tokens === true) Object.assign(edits, renameLimit(field));
  const silent = takes.sampling_without_thinking === true && wanted === 'none';
  if (!silent) Object.assign(edits, dropFields(field, drops));
  const messages = takes.developer_role === true ? developerMessages(field('messages')) : undefined;
  if (messages !== undefined) edits.messages = messages;
  return { model, edits };
};

/** Some models always return data, and refuse the field that requests it. */
export const editImageForOpenAi: EditFields = (field, model) => {
  const { kind, drops = [] } = openAiFacts(model);
  return { model, edits: kind === 'image' ? dropFields(field, drops) : {} };
};

/** Nothing changes. */
export const leaveFields: EditFields = (_field, model) => ({ model, edits: {} });

/**
 * `stream_options` for the upstream: usage is always requested; the field is removed where it is
 * refused.
 */
export function editStreamOptions(field: FieldReader, supported: boolean): FieldEdits {
  const given = field('stream_options');
  if (!supported) return given === undefined ? {} : { stream_options: undefined };
  if (field('stream') !== true) return {};
  if (isObject(given) && given.include_usage === true) return {};
  return {
    stream_options: {
      ...(isObject(given) ? (given as Record<string, JsonValue>) : {}),
      include_usage: true,
    },
  };
}

export function applyEdits(
  body: Readonly<Record<string, JsonValue>>,
  edits: FieldEdits,
): Record<string, JsonValue> {
  const result = { ...body };
  for (const [name, value] of Object.entries(edits)) {
    if (value === undefined) delete result[name];
    else result[name] = value;
  }
  return result;
}
