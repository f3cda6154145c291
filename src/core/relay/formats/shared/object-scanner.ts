/**
 * Finds the end of a JSON object or array in text that comes in pieces, in time linear to its
 * length.
 */
export class ObjectScanner {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #complete = false;

  /** The outermost bracket was closed. Only blanks can follow in valid JSON. */
  get complete(): boolean {
    return this.#complete;
  }

  add(text: string): void {
    for (let at = 0; at < text.length && !this.#complete; at++) this.#read(text[at]);
  }

  #read(character: string | undefined): void {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (character === '\\') this.#escaped = true;
      else if (character === '"') this.#inString = false;
    } else if (character === '"') this.#inString = true;
    else if (character === '{' || character === '[') this.#depth++;
    else if (character === '}' || character === ']') {
      this.#depth--;
      this.#complete = this.#depth <= 0;
    }
  }
}
