import { describe, expect, it } from 'vitest';
import { buildSensitiveWords } from '../../../../src/core/relay/body/sensitive-words.ts';
import { fc, runs } from '../../../support/property.ts';

const words = ['test_sensitive', 'bomb', '炸弹', 'a-b c', 'straße', 'x"y', 'one/two', 'ÄRGER'];

describe('sensitive words', () => {
  it.each(words)('finds %j in any case and in the middle of a text', (word) => {
    const list = buildSensitiveWords([word]);
    for (const form of [word, word.toUpperCase(), word.toLowerCase()]) {
      if (form.toLowerCase() !== word.toLowerCase()) continue;
      const text = `before ${form} after`;
      expect(list?.isIn(text)).toBe(true);
      expect(list?.mightBeIn(Buffer.from(JSON.stringify({ content: text })))).toBe(true);
    }
    expect(list?.isIn('nothing of the kind')).toBe(false);
  });

  it('never rules out by bytes a word that the text contains', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom(...words, ...words.map((word) => word.toUpperCase())),
    );
    fc.assert(
      fc.property(
        fc.subarray(words, { minLength: 1 }),
        fc.array(text),
        fc.boolean(),
        (chosen, parts, ascii) => {
          const list = buildSensitiveWords(chosen);
          const content = parts.join(' ');
          const json = JSON.stringify({ max_tokens: 5, content });
          const body = ascii
            ? json.replace(
                /\P{ASCII}/gu,
                (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
              )
            : json;
          if (list?.isIn(content)) expect(list.mightBeIn(Buffer.from(body))).toBe(true);
        },
      ),
      runs(500),
    );
  });

  it('rules out an ordinary body although it shares the anchor', () => {
    expect(
      buildSensitiveWords(['test_sensitive'])?.mightBeIn(
        Buffer.from('{"max_tokens":5,"content":"hello"}'),
      ),
    ).toBe(false);
  });

  it('is undefined without words and an automaton for many words', () => {
    expect(buildSensitiveWords(['', ' '])).toBeNull();
    const many = buildSensitiveWords(Array.from({ length: 500 }, (_, index) => `word${index}x`));
    expect([many?.isIn('has WORD77X inside'), many?.isIn('has word77 inside')]).toEqual([
      true,
      false,
    ]);
  });
});
