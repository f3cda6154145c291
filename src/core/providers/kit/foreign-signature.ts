import { isObject, type JsonValue } from '../../kernel/json.ts';

/**
 * Stands where callers expect a proof of thinking (Anthropic's signature, the encrypted content of Responses), on thinking
 * that another provider made. Either would refuse it, so it is taken out again when it comes back (spec, agent-clients
 * 1.8, 4).
 */
export const foreignSignature = 'turnpike-no-signature';

/** Messages in Anthropic's form without the thinking blocks that carry the mark. */
export function stripForeignThinking(messages: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(messages)) return messages;
  return (messages as readonly JsonValue[]).map((message): JsonValue => {
    if (!isObject(message) || !Array.isArray(message.content)) return message;
    const content = (message.content as readonly JsonValue[]).filter(
      (block) => !isObject(block) || block.signature !== foreignSignature,
    );
    return { ...(message as Record<string, JsonValue>), content };
  });
}

/** Input items of the Responses wire without the reasoning that carries the mark. */
export function stripForeignReasoning(input: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(input)) return input;
  return (input as readonly JsonValue[]).filter((item) => !isObject(item) || item.encrypted_content !== foreignSignature);
}
