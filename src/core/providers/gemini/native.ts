/**
 * A native caller's body on its way to the Gemini API or Vertex
 * (docs/rules/providers.md#gemini-thinking).
 */

import {
  holdsForeignThoughts,
  stripForeignThoughts,
} from '../../canonical/kit/foreign-signature.ts';
import { countOf } from '../../canonical/kit/read-json.ts';
import { readEffort } from '../../canonical/kit/reasoning.ts';
import { levelFor, thinksByLevel } from '../../canonical/models/gemini.ts';
import type { BodyFields } from '../../canonical/pass-through.ts';
import type { Call } from '../../canonical/provider.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { type SuffixedGemini, thinkingConfig } from './thinking.ts';

type Edits = Record<string, JsonValue>;

/**
 * What a suffix of the model adds to a native caller's body that has no thinking config of its own,
 * and a level that the model is known to refuse as the nearest that it takes, in its spelling.
 */
function thinkingEdits(fields: BodyFields, suffixed: SuffixedGemini, call: Call): Edits {
  const name = fields.has('generation_config') ? 'generation_config' : 'generationConfig';
  const given = fields.get(name);
  const config: Edits = isObject(given) ? { ...(given as Edits) } : {};
  const own = config.thinkingConfig ?? config.thinking_config;
  if (own !== undefined) {
    const fitted = isObject(own) ? fitLevel(own as JsonObject, suffixed.model) : undefined;
    if (fitted === undefined) return {};
    const spelled = config.thinkingConfig === undefined ? 'thinking_config' : 'thinkingConfig';
    return { [name]: { ...config, [spelled]: fitted } };
  }
  if (suffixed.suffix === undefined) return {};
  const maxOutputTokens = countOf(config.maxOutputTokens ?? config.max_output_tokens);
  const thinking = thinkingConfig(suffixed, { maxOutputTokens }, undefined, call.options);
  return thinking === undefined ? {} : { [name]: { ...config, thinkingConfig: thinking } };
}

/** Levels come in any case (docs/rules/models.md#fit-effort). Undefined: the config stays. */
function fitLevel(config: JsonObject, model: string): JsonObject | undefined {
  const name = config.thinkingLevel === undefined ? 'thinking_level' : 'thinkingLevel';
  const given = config[name];
  const wanted = typeof given === 'string' ? readEffort(given.toLowerCase()) : undefined;
  if (wanted === undefined || !thinksByLevel(model)) return undefined;
  const fitted = levelFor(model, wanted);
  return fitted === undefined || fitted === wanted ? undefined : { ...config, [name]: fitted };
}

/** The same, without the thinking of other vendors, whose signatures Google would refuse. */
export function nativeEdits(fields: BodyFields, suffixed: SuffixedGemini, call: Call): Edits {
  const contents = holdsForeignThoughts(fields)
    ? stripForeignThoughts(fields.get('contents'))
    : undefined;
  const edits = thinkingEdits(fields, suffixed, call);
  return contents === undefined ? edits : { ...edits, contents };
}
