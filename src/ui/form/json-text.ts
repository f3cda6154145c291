import { isObject, parseJson } from '../../core/kernel/json.ts';

/** Whether a text is empty or holds a JSON object. */
export function isJsonObject(text: string): boolean {
  return text.trim() === '' || isObject(parseJson(text));
}
