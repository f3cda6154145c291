/**
 * A native caller's body on its way to the Gemini API or Vertex
 * (docs/rules/providers.md#gemini-thinking).
 */

import {
  holdsForeignThoughts,
  stripForeignThoughts,
} from '../../canonical/kit/foreign-signature.ts';
import { countOf } from '../../canonical/kit/read-json.ts';
import type { BodyFields, Call } from '../../canonical/provider.ts';
import { isObject, type JsonValue } from '../../kernel/json.ts';
import { type SuffixedGemini, thinkingConfig } from './thinking.ts';

/**
 * What a suffix of the model adds to a native caller's body that has no thinking config of its own,
 * in its spelling.
 */
function suffixEdits(
  fields: BodyFields,
  suffixed: SuffixedGemini,
  call: Call,
): Record<string, JsonValue> {
  if (suffixed.suffix === undefined) return {};
  const name = fields.has('generation_config') ? 'generation_config' : 'generationConfig';
  const given = fields.get(name);
  const config: Record<string, JsonValue> = isObject(given)
    ? { ...(given as Record<string, JsonValue>) }
    : {};
  const maxOutputTokens = countOf(config.maxOutputTokens ?? config.max_output_tokens);
  const thinking = thinkingConfig(suffixed, { maxOutputTokens }, undefined, call.options);
  const own = config.thinkingConfig ?? config.thinking_config;
  return own !== undefined || thinking === undefined
    ? {}
    : { [name]: { ...config, thinkingConfig: thinking } };
}

/** The same, without the thinking of other vendors, whose signatures Google would refuse. */
export function nativeEdits(
  fields: BodyFields,
  suffixed: SuffixedGemini,
  call: Call,
): Record<string, JsonValue> {
  const contents = holdsForeignThoughts(fields)
    ? stripForeignThoughts(fields.get('contents'))
    : undefined;
  const edits = suffixEdits(fields, suffixed, call);
  return contents === undefined ? edits : { ...edits, contents };
}
