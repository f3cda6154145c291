/**
 * Sources of an answer as Gemini reports them: pages, and the segments of the answer that they
 * support.
 */

import type { Annotation } from '../../../canonical/chat-reply.ts';
import { compact } from '../../../canonical/kit/read-json.ts';
import { firstWhere, TextPlaces } from '../../../canonical/kit/text-places.ts';
import type { JsonObject } from '../../../kernel/json.ts';

/** Characters; longer segments are given by their place alone. */
const longestText = 2000;

interface Part {
  readonly index: number;
  /** Characters of the answer before it. */
  readonly from: number;
  readonly places: TextPlaces;
}

/** Parts of an answer that are texts, each with its number among all parts. */
function readParts(parts: readonly (string | undefined)[]): readonly Part[] {
  let from = 0;
  return parts.flatMap((text, index) => {
    if (text === undefined) return [];
    const part = { index, from, places: new TextPlaces(text) };
    from += part.places.length;
    return [part];
  });
}

/**
 * The segment that a source supports, in bytes of the part in which it ends. Undefined where its
 * place is unknown.
 */
function segmentOf(
  { startIndex, endIndex }: Annotation,
  parts: readonly Part[],
): JsonObject | undefined {
  if (endIndex === undefined) return undefined;
  const endOf = (at: number) => (parts[at]?.from ?? 0) + (parts[at]?.places.length ?? 0);
  const part = parts[firstWhere(parts.length, (at) => endIndex <= endOf(at))];
  if (part === undefined || endIndex <= part.from) return undefined;
  const { index, from, places } = part;
  const end = endIndex - from;
  const start = Math.min(end, Math.max(0, (startIndex ?? 0) - from));
  return compact({
    partIndex: index === 0 ? undefined : index,
    startIndex: places.bytesBefore(start),
    endIndex: places.bytesBefore(end),
    text: end - start > longestText ? undefined : places.slice(start, end),
  });
}

/**
 * `parts`: the answer's text, part by part; undefined for parts that are none. Undefined where
 * there are no sources.
 */
export function writeGrounding(
  annotations: readonly Annotation[],
  parts: readonly (string | undefined)[],
): JsonObject | undefined {
  if (annotations.length === 0) return undefined;
  const read = readParts(parts);
  const pages = new Map<string, { readonly index: number; readonly title: string | undefined }>();
  const supports = new Map<
    string,
    { readonly segment: JsonObject; readonly chunks: Set<number> }
  >();
  for (const annotation of annotations) {
    const { url, title, startIndex, endIndex } = annotation;
    const page = pages.get(url) ?? { index: pages.size, title };
    pages.set(url, page);
    const segment = segmentOf(annotation, read);
    if (segment === undefined) continue;
    const key = `${startIndex}-${endIndex}`;
    const support = supports.get(key) ?? { segment, chunks: new Set() };
    supports.set(key, support);
    support.chunks.add(page.index);
  }
  return {
    groundingChunks: Array.from(pages, ([uri, { title }]) => ({ web: compact({ uri, title }) })),
    groundingSupports: Array.from(supports.values(), ({ segment, chunks }) => ({
      segment,
      groundingChunkIndices: [...chunks],
    })),
  };
}
