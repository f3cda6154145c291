/**
 * Thinking with its signatures in `reasoning_details`, as OpenRouter writes and accepts it
 * (docs/rules/providers.md#openrouter-reasoning-details). Each detail names the format of the
 * provider that generated it; Claude's are read.
 */

import type { AssistantMessage, ReasoningPart, StreamPart } from '../../canonical/chat.ts';
import { compact, type Loose, recordsOf, textOf } from '../../canonical/kit/read-json.ts';
import type { JsonObject } from '../../kernel/json.ts';

const claudeFormat = 'anthropic-claude-v1';
const geminiFormat = 'google-gemini-v1';
const origin = 'anthropic-messages';

function claudeDetails(message: Loose): readonly Loose[] {
  return recordsOf(message.reasoning_details).filter(({ format }) => format === claudeFormat);
}

/** A message's thinking, block by block; empty where none of it is signed. */
export function readSignedReasoning(message: Loose): ReasoningPart[] {
  return claudeDetails(message).flatMap(
    ({ type, text, signature: given, data }): ReasoningPart[] => {
      const redacted = textOf(data);
      if (type === 'reasoning.encrypted')
        return redacted === undefined ? [] : [{ type: 'reasoning', text: '', redacted, origin }];
      const signature = textOf(given);
      return signature === undefined
        ? []
        : [{ type: 'reasoning', text: textOf(text) ?? '', signature, origin }];
    },
  );
}

/** The signatures in a chunk. The chunk's thinking text is read elsewhere. */
export function readSignatures(delta: Loose, choice: number): StreamPart[] {
  return readSignedReasoning(delta).flatMap(({ signature, redacted }): StreamPart[] => {
    if (redacted !== undefined)
      return [{ type: 'reasoning-redacted', data: redacted, origin, choice }];
    return signature === undefined
      ? []
      : [{ type: 'reasoning-signature', signature, origin, choice }];
  });
}

/** Claude's thinking of an earlier reply; parts without a signature of Claude's are left out. */
export function writeClaudeDetails({ content }: AssistantMessage): JsonObject[] {
  const thinking = content.flatMap((part) =>
    part.type === 'reasoning' && part.origin === origin ? [part] : [],
  );
  const details = thinking.flatMap(({ text, signature, redacted }): JsonObject[] => {
    if (redacted !== undefined) return [{ type: 'reasoning.encrypted', data: redacted }];
    return signature === undefined ? [] : [{ type: 'reasoning.text', text, signature }];
  });
  return details.map((detail, index) => ({ ...detail, format: claudeFormat, index }));
}

/**
 * The signatures of Gemini's calls. The first call needs one: `missing` replaces one that was lost.
 */
export function writeGeminiDetails({ content }: AssistantMessage, missing: string): JsonObject[] {
  const calls = content.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
  return calls.flatMap(({ id, signature }, index) => {
    const data = signature ?? (index === 0 ? missing : undefined);
    return data === undefined
      ? []
      : [compact({ type: 'reasoning.encrypted', id, data, format: geminiFormat, index })];
  });
}
