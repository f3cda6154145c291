/**
 * The sensitive-word check (spec, relay 5): case-insensitive, input only, built once per option change. On by default, so
 * it must not force a parse: the bytes are searched first, and only a hit there, or an escape that could hide a word,
 * is looked at again in the decoded text.
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

/** Null when there is nothing to look for. */
export function buildSensitiveWords(words: readonly string[]): SensitiveWords | null {
  const wanted = [...new Set(words.map((word) => word.trim().toLowerCase()))].filter((word) => word !== '');
  if (wanted.length === 0) return null;
  const isIn = wanted.length <= patternLimit ? searchByPattern(wanted) : searchByAutomaton(wanted);
  const rare = wanted.map(rareBytes);
  // Characters that JSON writes as an escape: such a word is never found in the bytes as it stands.
  const needsDecoding = wanted.some((word) => /["\\/\p{Cc}]/u.test(word));
  return {
    isIn,
    mightBeIn: (body) => {
      // An escaped letter could hide a word from the bytes.
      if (wanted.length > patternLimit || body.includes(escapedCharacter)) return true;
      if (!rare.some((bytes) => bytes === null || body.includes(bytes))) return false;
      return needsDecoding || isIn(body.toString('utf8'));
    },
  };
}

const escapedCharacter = Buffer.from('\\u');

/**
 * The longest run of a word that reads the same in either case and needs no escape in JSON: `_` of `test_sensitive`,
 * all of a Chinese word. Null: there is none, the word cannot be ruled out by bytes.
 */
function rareBytes(word: string): Buffer | null {
  const runs = word.split(/[a-z"\\/\n\r\t]+|[\p{Ll}\p{Lu}\p{Lt}]+/u).filter((run) => run !== '');
  const longest = runs.sort((a, b) => b.length - a.length)[0];
  return longest === undefined || longest.trim() === '' ? null : Buffer.from(longest);
}

function searchByPattern(words: readonly string[]): (text: string) => boolean {
  const pattern = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'iu');
  return (text) => pattern.test(text);
}

function searchByAutomaton(words: readonly string[]): (text: string) => boolean {
  const automaton = new AhoCorasick([...words]);
  return (text) => automaton.match(text.toLowerCase());
}
