/**
 * The channel setting `thinking_to_content`: thinking becomes part of the text, between `<think>`
 * marks, for clients that show no reasoning field
 * (docs/rules/channel-rules.md#thinking-to-content).
 */
import type { AssistantPart } from '../chat.ts';
import type { ChatReply, StreamPart } from '../chat-reply.ts';
import type { StreamDecoder } from '../pass-through.ts';
import { wrapDecoder } from './wrapped-decoder.ts';

const opening = '<think>\n';
const closing = '\n</think>\n';

export function thinkingIntoReply(reply: ChatReply): ChatReply {
  const choices = reply.choices.map((choice) => {
    const thinking = choice.content
      .flatMap((part) => (part.type === 'reasoning' ? [part.text] : []))
      .join('');
    if (thinking === '') return choice;
    const rest = choice.content.filter((part) => part.type !== 'reasoning');
    const text: AssistantPart = { type: 'text', text: `${opening}${thinking}${closing}` };
    const first = rest[0];
    const content: AssistantPart[] =
      first?.type === 'text'
        ? [{ ...first, text: text.text + first.text }, ...rest.slice(1)]
        : [text, ...rest];
    return { ...choice, content };
  });
  return { ...reply, choices };
}

/**
 * Wraps a decoder. Marks open and close per choice; a stream that ends inside thinking is closed
 * before its finish.
 */
export function thinkingIntoStream(decoder: StreamDecoder): StreamDecoder {
  const open = new Set<number>();

  function convert(part: StreamPart): StreamPart[] {
    if (part.type === 'reasoning-signature' || part.type === 'reasoning-redacted') return [];
    if (part.type === 'start' || part.type === 'usage' || part.type === 'error') return [part];
    const choice = part.choice ?? 0;
    if (part.type === 'reasoning-delta') {
      if (open.has(choice)) return [{ type: 'text-delta', text: part.text, choice }];
      open.add(choice);
      return [{ type: 'text-delta', text: opening + part.text, choice }];
    }
    if (!open.delete(choice)) return [part];
    if (part.type === 'text-delta') return [{ ...part, text: closing + part.text }];
    return [{ type: 'text-delta', text: closing, choice }, part];
  }
  return wrapDecoder(decoder, {
    push: (event) => decoder.push(event).flatMap(convert),
    end: () => decoder.end().flatMap(convert),
  });
}
