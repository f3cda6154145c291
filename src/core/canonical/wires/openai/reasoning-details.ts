/**
 * Thinking with its signatures in `reasoning_details` of a chat message, as OpenRouter writes and
 * accepts it (docs/rules/providers.md#openrouter-reasoning-details). Each detail names the format of
 * the provider that generated it; Gemini's signatures stand with calls and texts.
 */

import type { JsonObject } from '../../../kernel/json.ts';
import type { WireFormat } from '../../../vocabulary/wire-formats.ts';
import type { AssistantMessage, ReasoningPart } from '../../chat.ts';
import type { StreamPart } from '../../chat-reply.ts';
import { compact, type Loose, recordsOf, textOf } from '../../kit/read-json.ts';

const claudeFormat = 'anthropic-claude-v1';
const geminiFormat = 'google-gemini-v1';
const claude = 'anthropic-messages';

const origins: Readonly<Record<string, WireFormat>> = {
  [claudeFormat]: claude,
  'openai-responses-v1': 'openai-responses',
};

function formatOf(origin: WireFormat | undefined): string | undefined {
  return Object.keys(origins).find((format) => origins[format] === origin);
}

function readDetail({ type, format, text, signature: given, data, id }: Loose): ReasoningPart[] {
  const origin = origins[textOf(format) ?? ''];
  if (origin === undefined) return [];
  const redacted = textOf(data);
  const signature = textOf(given);
  const part = { type: 'reasoning', origin, id: textOf(id) } as const;
  if (type === 'reasoning.encrypted')
    return redacted === undefined ? [] : [{ ...part, text: '', redacted }];
  return signature === undefined ? [] : [{ ...part, text: textOf(text) ?? '', signature }];
}

/** A message's thinking, block by block; empty where none of it is signed. */
export function readSignedReasoning(message: Loose): ReasoningPart[] {
  return recordsOf(message.reasoning_details).flatMap(readDetail);
}

/** The signatures in a chunk. The chunk's thinking text is read elsewhere. */
export function readSignatures(delta: Loose, choice: number): StreamPart[] {
  return readSignedReasoning(delta).flatMap(
    ({ signature, redacted, origin = claude, id }): StreamPart[] => {
      if (redacted !== undefined)
        return [{ type: 'reasoning-redacted', data: redacted, origin, id, choice }];
      return signature === undefined
        ? []
        : [{ type: 'reasoning-signature', signature, origin, id, choice }];
    },
  );
}

/** One block of thinking; undefined: it has no signature, or its format has no name here. */
export function writeDetail(
  { text, signature, redacted, origin, id }: Omit<ReasoningPart, 'type'>,
  index: number,
): JsonObject | undefined {
  const format = formatOf(origin);
  if (format === undefined) return undefined;
  const common = compact({ id, format, index });
  if (redacted !== undefined) return { type: 'reasoning.encrypted', data: redacted, ...common };
  if (signature === undefined) return undefined;
  return origin === claude
    ? { type: 'reasoning.text', text, signature, ...common }
    : { type: 'reasoning.encrypted', data: signature, ...common };
}

/** Claude's thinking of an earlier reply; parts without a signature of Claude's are left out. */
export function writeClaudeDetails({ content }: AssistantMessage): JsonObject[] {
  return content
    .flatMap((part) => (part.type === 'reasoning' && part.origin === claude ? [part] : []))
    .filter(({ signature, redacted }) => (signature ?? redacted) !== undefined)
    .map(writeDetail)
    .filter((detail) => detail !== undefined);
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
