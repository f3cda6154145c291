import type { TextPart } from '../chat.ts';
import type { Annotation, ChatChoice } from '../chat-reply.ts';
import { characters, firstWhere } from './text-places.ts';

/**
 * The sources of each text of a reply: of the text in which their range ends, else of the last.
 * None where there is no text.
 */
export function sourcesByText({
  content,
  annotations = [],
}: Pick<ChatChoice, 'content' | 'annotations'>): ReadonlyMap<unknown, readonly Annotation[]> {
  const texts = content.filter(
    (part) => part.type === 'text' && part.text !== '',
  ) as readonly TextPart[];
  let end = 0;
  const found = texts.map((part) => {
    end += characters(part.text);
    return { part, end, sources: [] as Annotation[] };
  });
  if (annotations.length === 0) return new Map();
  for (const annotation of annotations) {
    // Servers that know no place may write zeros.
    const endIndex = annotation.endIndex || Number.POSITIVE_INFINITY;
    (
      found[firstWhere(found.length, (index) => endIndex <= (found[index]?.end ?? 0))] ??
      found.at(-1)
    )?.sources.push(annotation);
  }
  return new Map(found.map(({ part, sources }) => [part, sources]));
}
