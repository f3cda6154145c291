import { isObject, type JsonObject, type JsonValue, parseJson } from '../../kernel/json.ts';

/**
 * A call's arguments for protocols that carry an object (docs/rules/formats.md#tool-arguments).
 * Empty or incomplete text becomes `{}`; JSON that is no object is wrapped.
 */
export function argumentsToObject(text: string): JsonObject {
  const value = text.trim() === '' ? undefined : parseJson(text);
  if (value === undefined || value === null) return {};
  return isObject(value) ? (value as JsonObject) : { value: value as JsonValue };
}

/**
 * A call's arguments for protocols that carry an object (docs/rules/formats.md#tool-arguments).
 * Empty or incomplete text becomes `{}`; JSON that is no object is wrapped.
 */
export function argumentsToText(input: unknown): string {
  if (typeof input === 'string') return input;
  return JSON.stringify(input ?? {});
}

/**
 * An id for a call that came without one, unique within the conversation, which suffices to pair
 * call and result.
 */
export function callIdFor(replyId: string, index: number): string {
  return `call_${replyId.replace(/[^a-zA-Z0-9_-]/g, '').slice(-40)}_${index}`;
}
