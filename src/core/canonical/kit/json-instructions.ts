/** What a model is told where its interface knows JSON answers less well than the caller. */
import type { JsonValue } from '../../kernel/json.ts';

export const jsonInstructions = 'Answer with one JSON object and nothing else.';

export function schemaInstructions(schema: JsonValue): string {
  return `Answer with JSON that follows this JSON schema:\n${JSON.stringify(schema)}`;
}
