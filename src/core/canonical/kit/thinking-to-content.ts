/**
 * The channel setting `thinking_to_content`: thinking becomes part of the text, between `<think>`
 * marks, for clients that show no reasoning field
 * (docs/rules/channel-rules.md#thinking-to-content).
 */
import type { AssistantPart } from '../chat.ts';
import type { Annotation, ChatReply, StreamPart } from '../chat-reply.ts';
import type { StreamDecoder } from '../pass-through.ts';
import { characters } from './text-places.ts';
import { wrapDecoder } from './wrapped-decoder.ts';

const opening = '<think>\n';
const closing = '\n</think>\n';

/** The place in the text with `added` characters before it. */
function moved(annotation: Annotation, added: number): Annotation {
  const { startIndex, endIndex } = annotation;
  return {
    ...annotation,
    ...(startIndex !== undefined && { startIndex: startIndex + added }),
    ...(endIndex !== undefined && { endIndex: endIndex + added }),
  };
}

export function thinkingIntoReply(reply: ChatReply): ChatReply {
  const choices = reply.choices.map((choice) => {
    const thinking = choice.content
      .flatMap((part) => (part.type === 'reasoning' ? [part.text] : []))
      .join('');
    if (thinking === '') return choice;
    const rest = choice.content.filter((part) => part.type !== 'reasoning');
    const text = `${opening}${thinking}${closing}`;
    const first = rest[0];
    const content: AssistantPart[] =
      first?.type === 'text'
        ? [{ ...first, text: text + first.text }, ...rest.slice(1)]
        : [{ type: 'text', text }, ...rest];
    const added = characters(text);
    const annotations = choice.annotations?.map((one) => moved(one, added));
    return { ...choice, content, ...(annotations && { annotations }) };
  });
  return { ...reply, choices };
}

/**
 * Wraps a decoder. Marks open and close per choice; a stream that ends inside thinking is closed
 * before its finish.
 */
export function thinkingIntoStream(decoder: StreamDecoder): StreamDecoder {
  const open = new Set<number>();
  /** Characters that were added to the text of each choice. */
  const added = new Map<number, number>();
  const add = (choice: number, text: string): string => {
    added.set(choice, (added.get(choice) ?? 0) + characters(text));
    return text;
  };

  function convert(part: StreamPart): StreamPart[] {
    if (part.type === 'reasoning-signature' || part.type === 'reasoning-redacted') return [];
    if (part.type === 'start' || part.type === 'usage' || part.type === 'error') return [part];
    const choice = part.choice ?? 0;
    if (part.type === 'reasoning-delta') {
      const before = open.has(choice) ? '' : opening;
      open.add(choice);
      return [{ type: 'text-delta', text: add(choice, before + part.text), choice }];
    }
    const closes = open.delete(choice) ? add(choice, closing) : '';
    if (part.type === 'text-delta')
      return [closes === '' ? part : { ...part, text: closes + part.text }];
    const kept: StreamPart =
      part.type === 'annotation'
        ? { ...part, annotation: moved(part.annotation, added.get(choice) ?? 0) }
        : part;
    return closes === '' ? [kept] : [{ type: 'text-delta', text: closes, choice }, kept];
  }
  return wrapDecoder(decoder, {
    push: (event) => decoder.push(event).flatMap(convert),
    end: () => decoder.end().flatMap(convert),
  });
}
