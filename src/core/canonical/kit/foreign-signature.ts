import { isObject, type JsonValue } from '../../kernel/json.ts';

/**
 * Placeholder for a thinking signature (Anthropic's `signature`, `encrypted_content` of Responses)
 * or a source's signature (Anthropic's `encrypted_index`) in output of other providers, where
 * callers expect one. Providers would refuse it, so it is removed when a caller sends it back
 * (docs/rules/formats.md#foreign-signatures).
 */
export const foreignSignature = 'turnpike-no-signature';

function hasForeignIndex(citation: JsonValue): boolean {
  return isObject(citation) && citation.encrypted_index === foreignSignature;
}

/** The block without its citations where they carry the mark; no block where all of it does. */
function stripBlock(block: JsonValue): readonly JsonValue[] {
  if (!isObject(block)) return [block];
  if (block.signature === foreignSignature) return [];
  if (
    !Array.isArray(block.citations) ||
    !(block.citations as readonly JsonValue[]).some(hasForeignIndex)
  )
    return [block];
  const { citations: _, ...rest } = block as Record<string, JsonValue>;
  return [rest];
}

/** Messages in Anthropic's form without the thinking and the citations that carry the mark. */
export function stripForeignSignatures(messages: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(messages)) return messages;
  return (messages as readonly JsonValue[]).map((message): JsonValue => {
    if (!isObject(message) || !Array.isArray(message.content)) return message;
    const content = (message.content as readonly JsonValue[]).flatMap(stripBlock);
    return { ...(message as Record<string, JsonValue>), content };
  });
}

/** Input items of the Responses wire without the reasoning that carries the mark. */
export function stripForeignReasoning(input: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(input)) return input;
  return (input as readonly JsonValue[]).filter(
    (item) => !isObject(item) || item.encrypted_content !== foreignSignature,
  );
}
