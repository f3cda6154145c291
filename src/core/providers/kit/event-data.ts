import { parseJson } from '../../kernel/json.ts';

/**
 * The JSON values in one event's data. Usually one; servers that forget the blank line between events make the framing
 * join several data lines, each then a value of its own. What is no JSON is passed over (spec, relay 14: log and go on).
 */
export function parseEventData(data: string): readonly unknown[] {
  const value = parseJson(data);
  if (value !== undefined) return [value];
  if (!data.includes('\n')) return [];
  return data.split('\n').flatMap((line) => {
    const one = line === '[DONE]' ? undefined : parseJson(line);
    return one === undefined ? [] : [one];
  });
}
