/** Edits of a forwarded messages body (docs/rules/providers.md#claude-native). */

import type { ReasoningEffort } from '../../canonical/chat.ts';
import { foreignSignature, stripForeignSignatures } from '../../canonical/kit/foreign-signature.ts';
import { countOf } from '../../canonical/kit/read-json.ts';
import { readOption } from '../../canonical/kit/read-option.ts';
import { readEffort } from '../../canonical/kit/reasoning.ts';
import type { BodyFields, Target } from '../../canonical/pass-through.ts';
import type { Call } from '../../canonical/provider.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { fitEffort } from '../../models/fit-effort.ts';
import {
  canThink,
  decidesItself,
  defaultMaxTokens,
  effortsOf,
  refusedFields,
  splitSuffix,
  takesAdaptive,
  takesBetweenTools,
} from './model-rules.ts';
import { anthropicOptions } from './options.ts';
import { adapterThinking, leastThinking, requestedThinking, type Thinking } from './thinking.ts';
import { noteInMessages, offeredChoice, withRequestToGoOn } from './unmet-wishes.ts';

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
  if (edits.thinking !== undefined) editBesideThinking(fields, model, edits);
  if (fields.contains?.(foreignSignature) === true)
    edits.messages = stripForeignSignatures(fields.get('messages'));
  editRefused(fields, model, edits);
  return { model, edits };
}

type Edits = Record<string, JsonValue | undefined>;

/** What a model that thinks does not take beside it. */
function editBesideThinking(fields: BodyFields, model: string, edits: Edits): void {
  // No other sampling than the usual.
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

/** Thinking that the model refuses, as the nearest that it takes; undefined: it stays. */
function fitThinking(
  given: JsonObject,
  wanted: ReasoningEffort | undefined,
  model: string,
  maxTokens: number,
): Partial<Thinking> | undefined {
  const { type, budget_tokens: _, ...rest } = given;
  if (!canThink(model)) return undefined;
  if (type === 'disabled' || (type === 'between_tools' && !takesBetweenTools(model))) {
    const least = leastThinking(model);
    return least.thinking?.type === type ? undefined : least;
  }
  if (type === 'enabled' && decidesItself(model))
    return { thinking: { ...rest, type: 'adaptive' } };
  return type === 'adaptive' && !takesAdaptive(model)
    ? requestedThinking(model, { effort: wanted ?? 'medium' }, maxTokens)
    : undefined;
}

/** The same for thinking and its effort. */
function editThinking(fields: BodyFields, model: string, edits: Edits): void {
  const config = edits.output_config ?? fields.get('output_config');
  const given: JsonObject = isObject(config) ? (config as JsonObject) : {};
  const requested = edits.thinking === undefined ? fields.get('thinking') : undefined;
  const limit = countOf(edits.max_tokens ?? fields.get('max_tokens')) ?? 0;
  const effort = readEffort(given.effort);
  const fit = isObject(requested)
    ? fitThinking(requested as JsonObject, effort, model, limit)
    : undefined;
  if (fit?.thinking !== undefined) edits.thinking = fit.thinking;
  if (fit?.maxTokens !== undefined && fit.maxTokens !== limit) edits.max_tokens = fit.maxTokens;
  if (fit?.thinking?.type === 'enabled') editBesideThinking(fields, model, edits);
  const wanted = fit?.effort ?? effort;
  if (wanted === undefined) return;
  const fitted = fitEffort(wanted, effortsOf(model));
  if (fitted === given.effort) return;
  const { effort: _, ...kept } = given;
  const written: JsonObject = fitted === undefined ? kept : { ...kept, effort: fitted };
  edits.output_config = Object.keys(written).length > 0 ? written : undefined;
}

/**
 * What the model would answer with status 400, as the nearest that it takes
 * (docs/rules/providers.md#claude-native).
 */
function editRefused(fields: BodyFields, model: string, edits: Edits): void {
  for (const name of refusedFields(model)) if (fields.has(name)) edits[name] = undefined;
  editThinking(fields, model, edits);
  const continued = withRequestToGoOn(fields, edits.messages, model);
  if (continued !== undefined) edits.messages = continued;
  const choice = edits.tool_choice ?? fields.get('tool_choice');
  const offered = offeredChoice(choice, model);
  if (offered === undefined) return;
  edits.tool_choice = offered;
  const noted = noteInMessages(edits.messages ?? fields.get('messages'), choice);
  if (noted !== undefined) edits.messages = noted;
}
