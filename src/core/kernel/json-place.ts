/**
 * Where a text stops being JSON. The messages of JSON.parse differ between engines and often name
 * no place.
 */

export interface TextPlace {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

const blank = /[ \t\n\r]*/y;
const literal = /true|false|null/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** As much of a string as is correct; the closing quote may be missing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y;

/**
 * The place of the first character that does not belong there; undefined where the text is JSON
 * (RFC 8259).
 */
export function findJsonError(text: string): TextPlace | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    const before = text.slice(0, errorOffset(text));
    return { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') };
  }
}

/**
 * Reads values with a stack of the brackets that are open, so that deep nesting does not overflow.
 */
function errorOffset(text: string): number {
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const take = (character: string): boolean => {
    skip(blank);
    if (text[at] !== character) return false;
    at += 1;
    return true;
  };
  const readString = (): boolean => skip(string) && text[at] === '"' && take('"');
  const readKey = (): boolean => {
    skip(blank);
    return readString() && take(':');
  };

  const open: ('{' | '[')[] = [];
  for (;;) {
    skip(blank);
    const opening = text[at];
    if (opening === '{' || opening === '[') {
      at += 1;
      if (!take(opening === '{' ? '}' : ']')) {
        if (opening === '{' && !readKey()) return at;
        open.push(opening);
        continue;
      }
    } else if (!(opening === '"' ? readString() : skip(literal) || skip(number))) return at;
    // A value ended: brackets may close, then another value must follow.
    let bracket = open.at(-1);
    while (bracket !== undefined && take(bracket === '{' ? '}' : ']')) {
      open.pop();
      bracket = open.at(-1);
    }
    if (bracket === undefined || !take(',')) return at;
    if (bracket === '{' && !readKey()) return at;
  }
}
