/**
 * Images that an earlier answer carried as Markdown with their data
 * (docs/rules/formats.md#images-in-answers).
 */
import { type DataUri, readDataUri } from './media.ts';

const imageOpening = '![';
const imageMiddle = '](data:';
/** In place of an image of an earlier answer, where answers are text. */
export const imageNote = '[image]';

/**
 * The images, and the text around them. Found by their middle: a regular expression would search
 * for the end behind every opening, of which a text may have very many.
 */
export function splitImages(text: string): readonly (string | DataUri)[] {
  const pieces: (string | DataUri)[] = [];
  let reported = 0;
  let passed = 0;
  let close = -1;
  for (let middle = text.indexOf(imageMiddle); middle !== -1; ) {
    if (close < middle) close = text.indexOf(')', middle);
    if (close === -1) break;
    // The alt text contains no bracket.
    const words = Math.max(passed, text.lastIndexOf(']', middle - 1) + 1);
    const opening = text.slice(words, middle).indexOf(imageOpening);
    const uri = opening === -1 ? undefined : readDataUri(text.slice(middle + 2, close));
    if (uri !== undefined) {
      pieces.push(text.slice(reported, words + opening), uri);
      reported = close + 1;
    }
    if (opening !== -1) passed = close + 1;
    middle = text.indexOf(imageMiddle, Math.max(passed, middle + 1));
  }
  return [...pieces, text.slice(reported)];
}

/** The text with a note for each image: as text an image is hundreds of thousands of characters. */
export function withoutImages(text: string): string {
  if (!text.includes(imageMiddle)) return text;
  return splitImages(text)
    .map((piece) => (typeof piece === 'string' ? piece : imageNote))
    .join('');
}
