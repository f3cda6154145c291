import { isObject, type JsonObject, type JsonValue, parseJson } from '../../kernel/json.ts';

/**
 * A call's arguments for protocols that carry an object (docs/rules/formats.md#tool-arguments): empty or broken
 * text, as a cut-off answer leaves it, is `{}`; JSON that is no object is wrapped.
 */
export function argumentsToObject(text: string): JsonObject {
  const value = text.trim() === '' ? undefined : parseJson(text);
  if (value === undefined || value === null) return {};
  return isObject(value) ? (value as JsonObject) : { value: value as JsonValue };
}

/** A call's arguments as chat wires write them: JSON text. */
export function argumentsToText(input: unknown): string {
  if (typeof input === 'string') return input;
  return JSON.stringify(input ?? {});
}

/** An id for a call whose server gave none: unique within the conversation, which is all that pairs call and result. */
export function callIdFor(replyId: string, index: number): string {
  return `call_${replyId.replace(/[^a-zA-Z0-9_-]/g, '').slice(-40)}_${index}`;
}
