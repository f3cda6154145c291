/** What a whole reply says in whichever wire format it is: to be counted where it told no usage. */
import { isObject, parseObject } from '../../kernel/json.ts';
import type { GeneratedText } from '../../metering/countable.ts';
import type { ForwardFormat } from '../formats/shared/forward-format.ts';

const textKeys: ReadonlySet<string> = new Set([
  'content',
  'reasoning_content',
  'reasoning',
  'text',
  'thinking',
  'arguments',
  'name',
  'refusal',
]);
/** Arguments of tool calls that are objects: Anthropic's, Gemini's. Custom tools of Responses take text. */
const argumentKeys: ReadonlySet<string> = new Set(['input', 'args']);
const callTypes: ReadonlySet<unknown> = new Set(['tool_use', 'function_call', 'custom_tool_call']);

class Listener {
  readonly texts: string[] = [];
  toolCalls = 0;

  hear(value: unknown): void {
    if (Array.isArray(value)) for (const item of value) this.hear(item);
    if (!isObject(value)) return;
    if (callTypes.has(value['type'])) this.toolCalls += 1;
    for (const [key, item] of Object.entries(value)) {
      if (key === 'functionCall') this.toolCalls += 1;
      if (key === 'tool_calls' && Array.isArray(item)) this.toolCalls += item.length;
      if (argumentKeys.has(key)) this.texts.push(typeof item === 'string' ? item : JSON.stringify(item));
      else if (typeof item !== 'string') this.hear(item);
      else if (textKeys.has(key)) this.texts.push(item);
    }
  }
}

/** Only the answer itself where the format has a name for it: replies of Responses repeat the request. */
export function generatedTextOfReply(bytes: Buffer, { answerField }: ForwardFormat): GeneratedText {
  const text = bytes.toString('utf8');
  const reply = parseObject(text);
  if (reply === undefined) return { text, toolCalls: 0 };
  const listener = new Listener();
  try {
    listener.hear(answerField === undefined ? reply : reply[answerField]);
  } catch {
    return { text, toolCalls: 0 }; // nested beyond reason
  }
  return { text: listener.texts.join(''), toolCalls: listener.toolCalls };
}
