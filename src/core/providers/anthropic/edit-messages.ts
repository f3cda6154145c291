/** Edits of a forwarded messages body (docs/rules/providers.md#claude-native). */

import { foreignSignature, stripForeignSignatures } from '../../canonical/kit/foreign-signature.ts';
import { countOf } from '../../canonical/kit/read-json.ts';
import { readOption } from '../../canonical/kit/read-option.ts';
import { readEffort } from '../../canonical/kit/reasoning.ts';
import type { BodyFields, Call, Target } from '../../canonical/provider.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { fitEffort } from '../../models/fit-effort.ts';
import {
  canThink,
  decidesItself,
  defaultMaxTokens,
  effortsOf,
  refusedFields,
  splitSuffix,
} from './model-rules.ts';
import { anthropicOptions } from './options.ts';
import { adapterThinking, leastThinking } from './thinking.ts';
import { noteInMessages, offeredChoice } from './unmet-wishes.ts';

interface MessageEdits {
  /** The model without a suffix of the adapter. */
  readonly model: string;
  readonly edits: NonNullable<Target['edits']>;
}

/** The output limit that a body must have, and what the model's suffix requests. */
export function editMessages(fields: BodyFields, call: Call): MessageEdits {
  const { model, thinking, effort } = splitSuffix(call.model, call.options);
  const edits: Record<string, JsonValue | undefined> = {};
  const given = countOf(fields.get('max_tokens'));
  const maxTokens = given || defaultMaxTokens(model, call.options);
  if (maxTokens !== given) edits.max_tokens = maxTokens;
  const own = (fields.get('thinking') ?? null) !== null;
  if (thinking && !own) {
    const share = readOption(
      call.options,
      anthropicOptions,
      'claude.thinking_adapter_budget_tokens_percentage',
    );
    const decided = adapterThinking(model, maxTokens, share);
    edits.thinking = decided.thinking;
    edits.max_tokens = decided.maxTokens;
  }
  if (effort !== undefined) {
    if (!own) edits.thinking = { type: 'adaptive' };
    const config = fields.get('output_config');
    edits.output_config = {
      ...(isObject(config) ? (config as Record<string, JsonValue>) : {}),
      effort,
    };
  }
  if (edits.thinking !== undefined) {
    // A model that thinks takes no other sampling.
    for (const name of ['temperature', 'top_p', 'top_k'])
      if (fields.has(name)) edits[name] = undefined;
    if (!decidesItself(model)) edits.temperature = 1;
    const choice = fields.get('tool_choice');
    // Tool use must not be forced either.
    if (isObject(choice) && (choice.type === 'any' || choice.type === 'tool')) {
      const { name: _, ...kept } = choice as Record<string, JsonValue>;
      edits.tool_choice = { ...kept, type: 'auto' };
    }
  }
  if (fields.contains?.(foreignSignature) === true)
    edits.messages = stripForeignSignatures(fields.get('messages'));
  editRefused(fields, model, edits);
  return { model, edits };
}

/** Thinking that the model refuses, as the nearest that it takes; undefined: it stays. */
function fitThinking(
  given: JsonValue | undefined,
  model: string,
): ReturnType<typeof leastThinking> | undefined {
  if (!isObject(given)) return undefined;
  if (given.type === 'disabled') {
    const least = leastThinking(model);
    return canThink(model) && least.thinking?.type !== 'disabled' ? least : undefined;
  }
  return given.type === 'enabled' && decidesItself(model)
    ? { thinking: { type: 'adaptive' } }
    : undefined;
}

/**
 * What the model would answer with status 400, as the nearest that it takes
 * (docs/rules/providers.md#claude-native).
 */
function editRefused(
  fields: BodyFields,
  model: string,
  edits: Record<string, JsonValue | undefined>,
): void {
  for (const name of refusedFields(model)) if (fields.has(name)) edits[name] = undefined;
  const thinking = edits.thinking === undefined ? fitThinking(fields.get('thinking'), model) : {};
  if (thinking?.thinking !== undefined) edits.thinking = thinking.thinking;
  const config = edits.output_config ?? fields.get('output_config');
  const given: JsonObject = isObject(config) ? (config as JsonObject) : {};
  const wanted = thinking?.effort ?? readEffort(given.effort);
  const fitted = wanted === undefined ? undefined : fitEffort(wanted, effortsOf(model));
  if (fitted !== undefined && fitted !== given.effort)
    edits.output_config = { ...given, effort: fitted };
  const choice = edits.tool_choice ?? fields.get('tool_choice');
  const offered = offeredChoice(choice, model);
  if (offered === undefined) return;
  edits.tool_choice = offered;
  const noted = noteInMessages(edits.messages ?? fields.get('messages'), choice);
  if (noted !== undefined) edits.messages = noted;
}
