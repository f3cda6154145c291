/** Sources of Gemini's replies (docs/rules/providers.md#gemini-grounding). */
import type { Annotation } from '../../canonical/chat-reply.ts';
import {
  countOf,
  type Loose,
  listOf,
  recordOf,
  recordsOf,
  textOf,
} from '../../canonical/kit/read-json.ts';
import { TextPlaces } from '../../canonical/kit/text-places.ts';

type Place = Pick<Annotation, 'startIndex' | 'endIndex'>;

/** The texts of a reply by part; empty for parts that are no text. */
class AnswerTexts {
  readonly #all: TextPlaces;
  /** Bytes before each part. */
  readonly #offsets: number[] = [];

  constructor(parts: readonly string[]) {
    this.#all = new TextPlaces(parts.join(''));
    let bytes = 0;
    for (const part of parts) {
      this.#offsets.push(bytes);
      bytes += Buffer.byteLength(part);
    }
  }

  /** A segment is given in bytes of its part. Undefined where the text at that position differs. */
  placeOf(segment: Loose): Place | undefined {
    const offset = this.#offsets[countOf(segment.partIndex) ?? 0];
    const end = countOf(segment.endIndex);
    if (offset === undefined || end === undefined) return undefined;
    const startIndex = this.#all.characterAt(offset + (countOf(segment.startIndex) ?? 0));
    const endIndex = this.#all.characterAt(offset + end);
    const reported = textOf(segment.text);
    return reported === undefined || reported === this.#all.slice(startIndex, endIndex)
      ? { startIndex, endIndex }
      : undefined;
  }
}

function readSource(chunk: Loose | undefined): Annotation | undefined {
  const web = recordOf(chunk?.web);
  const url = textOf(web?.uri);
  return url === undefined ? undefined : { url, title: textOf(web?.title) };
}

/** The sources of each segment that has some, then all sources. */
function readMetadata(metadata: Loose, texts: AnswerTexts): Annotation[] {
  const sources = listOf(metadata.groundingChunks).map((chunk) => readSource(recordOf(chunk)));
  const placed = recordsOf(metadata.groundingSupports).flatMap((support) => {
    const place = texts.placeOf(recordOf(support.segment) ?? {});
    if (place === undefined) return [];
    return listOf(support.groundingChunkIndices).flatMap((index) => {
      const source = sources[countOf(index) ?? -1];
      return source === undefined ? [] : [{ ...source, ...place }];
    });
  });
  return [...placed, ...sources.flatMap((source) => source ?? [])];
}

/**
 * From all metadata of a reply, which streams repeat: each source once per position, or once
 * without one.
 */
export function groundingAnnotations(
  metadata: readonly unknown[],
  parts: readonly string[],
): Annotation[] {
  const reported = recordsOf(metadata);
  if (reported.length === 0) return [];
  const texts = new AnswerTexts(parts);
  const all = reported.flatMap((one) => readMetadata(one, texts));
  const placed = new Set(all.flatMap(({ url, endIndex }) => (endIndex === undefined ? [] : [url])));
  const requested = all.filter(({ url, endIndex }) => endIndex !== undefined || !placed.has(url));
  return [
    ...new Map(
      requested.map((one) => [`${one.startIndex}-${one.endIndex} ${one.url}`, one]),
    ).values(),
  ];
}
