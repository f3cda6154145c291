/**
 * The sensitive-word check (docs/rules/relay.md#sensitive-words): case-insensitive, input only,
 * built once per option change. It is on by default, so it must not force a parse: the bytes are
 * searched first, and the decoded text only after a hit, or where an escape could hide a word.
 */
import AhoCorasick from 'modern-ahocorasick';

export interface SensitiveWords {
  /** Whether a JSON body might hold a word: false is certain. */
  mightBeIn(body: Buffer): boolean;
  /** Whether a text holds a word. */
  isIn(text: string): boolean;
}

/** Up to this many words are searched by one pattern; more go through an automaton. */
const patternLimit = 40;

/** Null when there are no words. */
export function buildSensitiveWords(words: readonly string[]): SensitiveWords | null {
  const listed = [...new Set(words.map((word) => word.trim().toLowerCase()))].filter(
    (word) => word !== '',
  );
  if (listed.length === 0) return null;
  const isIn = listed.length <= patternLimit ? searchByPattern(listed) : searchByAutomaton(listed);
  const anchors = listed.map(anchorOf);
  // JSON writes these characters as escapes: such a word never appears in the bytes literally.
  const escaped = listed.some((word) => /["\\/\p{Cc}]/u.test(word));
  return {
    isIn,
    mightBeIn: (body) => {
      // An escaped letter could hide a word from the bytes.
      if (escaped || listed.length > patternLimit || body.includes(escapedCharacter)) return true;
      if (anchors.some((anchor) => anchor !== null && isAt(body, anchor))) return true;
      return anchors.includes(null) && isIn(body.toString('utf8'));
    },
  };
}

const escapedCharacter = Buffer.from('\\u');

/**
 * A part of a word that is written in one way only, in either case and in JSON, and its place in
 * the word's bytes.
 */
interface Anchor {
  readonly word: string;
  readonly length: number;
  readonly bytes: Buffer;
  readonly offset: number;
}

/**
 * The longest such part: `_` of `test_sensitive`, all of a Chinese word. Null: there is none, or
 * the word holds letters beyond ASCII whose two cases may differ in length.
 */
function anchorOf(word: string): Anchor | null {
  if (/(?!\p{ASCII})[\p{Ll}\p{Lu}\p{Lt}]/u.test(word)) return null;
  const parts = [...word.matchAll(/[^\p{Ll}\p{Lu}\p{Lt}\s]+/gu)].sort(
    (a, b) => b[0].length - a[0].length,
  );
  const longest = parts[0];
  if (longest === undefined) return null;
  const offset = Buffer.byteLength(word.slice(0, longest.index));
  return { word, length: Buffer.byteLength(word), bytes: Buffer.from(longest[0]), offset };
}

/**
 * Most occurrences of an anchor that are checked in the bytes: where there are more, the text is
 * searched.
 */
const mostPlaces = 1000;

/** Whether the word is, or may be, around any occurrence of its anchor. */
function isAt(body: Buffer, { word, length, bytes, offset }: Anchor): boolean {
  let places = 0;
  for (let at = body.indexOf(bytes); at !== -1; at = body.indexOf(bytes, at + 1)) {
    const start = at - offset;
    if (++places > mostPlaces) return true;
    if (start >= 0 && body.toString('utf8', start, start + length).toLowerCase() === word)
      return true;
  }
  return false;
}

function searchByPattern(words: readonly string[]): (text: string) => boolean {
  const pattern = new RegExp(
    words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'),
    'iu',
  );
  return (text) => pattern.test(text);
}

function searchByAutomaton(words: readonly string[]): (text: string) => boolean {
  const automaton = new AhoCorasick([...words]);
  return (text) => automaton.match(text.toLowerCase());
}
