import { parseJson } from '../../kernel/json.ts';

/**
 * Lines without a value after which an event is given up: finding out takes far longer than reading
 * one.
 */
const maxUnreadable = 1000;

/**
 * The JSON values in one event's data. Usually one; servers that forget the blank line between
 * events make the framing join several data lines, each then a value of its own. What is no JSON is
 * passed over (docs/rules/streams.md#malformed-events).
 */
export function parseEventData(data: string): readonly unknown[] {
  // At the end of nearly every stream: reading it as JSON would throw, which takes 80 µs.
  if (data.trimEnd() === '[DONE]') return [];
  const value = parseJson(data);
  if (value !== undefined) return [value];
  if (!data.includes('\n')) return [];
  const values: unknown[] = [];
  let unreadable = 0;
  for (const line of data.split('\n')) {
    if (line === '' || line === '[DONE]') continue;
    const one = parseJson(line);
    if (one !== undefined) values.push(one);
    else if (++unreadable > maxUnreadable) break;
  }
  return values;
}
