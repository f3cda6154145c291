/** Fields that whole replies and streams have in common (Cohere API reference, Chat). */
import type { Annotation, FinishReason } from '../../../canonical/chat-reply.ts';
import { compact } from '../../../canonical/kit/read-json.ts';
import type { Usage } from '../../../canonical/usage.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import { effectiveFinish } from '../shared/reply-fields.ts';

const finishes: Readonly<Record<FinishReason, string>> = {
  stop: 'COMPLETE',
  length: 'MAX_TOKENS',
  'tool-calls': 'TOOL_CALL',
  'content-filter': 'ERROR_TOXIC',
};

interface Finish {
  readonly reason: FinishReason;
  readonly stopSequence?: string | null | undefined;
  readonly called: boolean;
}

export function writeFinish({ reason, stopSequence, called }: Finish): string {
  const finish = finishes[effectiveFinish(reason, called)];
  return finish === 'COMPLETE' && typeof stopSequence === 'string' ? 'STOP_SEQUENCE' : finish;
}

export function writeUsage(usage: Usage): JsonObject {
  const tokens = {
    input_tokens: usage.promptTokens ?? 0,
    output_tokens: usage.completionTokens ?? 0,
  };
  return compact({ billed_units: tokens, tokens, cached_tokens: usage.cachedTokens });
}

/**
 * `answer`: the texts of the answer, in which the places are counted. Undefined without a place.
 */
export function writeCitation(
  { url, title, startIndex, endIndex }: Annotation,
  answer: string,
): JsonObject | undefined {
  if (startIndex === undefined || endIndex === undefined) return undefined;
  const text = [...answer].slice(startIndex, endIndex).join('');
  const source = { type: 'document', id: url, document: compact({ id: url, title, url }) };
  return { start: startIndex, end: endIndex, text, sources: [source], type: 'TEXT_CONTENT' };
}
