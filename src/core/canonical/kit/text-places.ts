/**
 * Length of a text in characters (Unicode code points), by which the canonical form counts places.
 */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/**
 * The first of so many numbers, from 0, for which a test holds that holds for all behind it too;
 * `length`: for none.
 */
export function firstWhere(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Places in a text: its characters against the bytes of its UTF-8 form. */
export class TextPlaces {
  readonly #text: string;
  /** Of each character and of the end. */
  readonly #units: Uint32Array;
  readonly #bytes: Uint32Array;
  /** Characters. */
  readonly length: number;

  constructor(text: string) {
    this.#text = text;
    this.#units = new Uint32Array(text.length + 1);
    this.#bytes = new Uint32Array(text.length + 1);
    let at = 0;
    let units = 0;
    let bytes = 0;
    for (const character of text) {
      units += character.length;
      bytes += Buffer.byteLength(character);
      at++;
      this.#units[at] = units;
      this.#bytes[at] = bytes;
    }
    this.length = at;
  }

  /** Bytes before a character. */
  bytesBefore(character: number): number {
    return this.#bytes[character] ?? 0;
  }

  /**
   * Index of the character that contains this byte; the number of characters for bytes beyond the
   * end.
   */
  characterAt(byte: number): number {
    return firstWhere(this.length, (index) => (this.#bytes[index + 1] ?? 0) > byte);
  }

  /** The text between two characters. */
  slice(start: number, end: number): string {
    return this.#text.slice(this.#units[start], this.#units[end]);
  }
}
