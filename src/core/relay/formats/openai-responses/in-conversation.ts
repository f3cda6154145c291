import { isObject, type JsonObject, parseObject } from '../../../kernel/json.ts';
import { readValues, splitEvents } from '../shared/events.ts';

/**
 * Whole events, or a reply in one piece, with the conversation in their response objects:
 * upstreams do not know it (docs/rules/responses.md#conversations).
 */
export function inConversation(bytes: Buffer, id: string): Buffer {
  if (!bytes.includes('"response"')) return bytes;
  const whole = parseObject(bytes.toString('utf8'));
  if (whole !== undefined)
    return whole['object'] === 'response' ? json({ ...whole, conversation: { id } }) : bytes;
  return Buffer.concat(splitEvents(bytes).map((event) => named(event, id)));
}

function named(event: Buffer, id: string): Buffer {
  const value = readValues(event)[0];
  if (!isObject(value) || !isObject(value['response'])) return event;
  const response = { ...value['response'], conversation: { id } } as JsonObject;
  const text = json({ ...value, response });
  return Buffer.from(`event: ${String(value['type'])}\ndata: ${text.toString('utf8')}\n\n`);
}

const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));
