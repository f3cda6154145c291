/**
 * Instructions for JSON output, for models whose interface offers less than the caller requests.
 */
import type { JsonValue } from '../../kernel/json.ts';

export const jsonInstructions = 'Answer with one JSON object and nothing else.';

export function schemaInstructions(schema: JsonValue): string {
  return `Answer with JSON that follows this JSON schema:\n${JSON.stringify(schema)}`;
}
