/** Texts from outside are made safe for a terminal, and shortened to their cells. */
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { pickGlyphs } from '../../../src/cli/kit/glyphs.ts';
import { cut, cutMiddle, plainText } from '../../../src/cli/kit/lines.ts';
import { hostileNames } from '../../support/full-site.ts';

const glyphs = pickGlyphs(false, { LANG: 'C.UTF-8' });

test.each([
  ['control characters', 'a\u001b[2J\r\n\u009bb', 'a [2J b'],
  ['separators of lines and paragraphs', 'a\u2028b\u2029c', 'a b c'],
  ['marks of direction', '\u202egnp.exe\u2066', 'gnp.exe'],
  ['joined emoji and skin tones', '👨‍👩‍👧 👍🏽 ❤️', '👨👩👧 👍 ❤'],
  ['characters without a width', 'a\u200bb\ufeffc\u00add\u3164e', 'abcde'],
  ['piles of accents', `Z${'\u0335'.repeat(20)}!`, 'Z\u0335\u0335!'],
  ['accents that were typed apart', 'e\u0301', 'é'],
  ['halves of characters', 'a\ud800b', 'a\ufffdb'],
])('%s', (_, text, expected) => {
  expect(plainText(text)).toBe(expected);
});

test.each([...hostileNames])('%j fits where it is put', (name) => {
  for (const shorten of [cut, cutMiddle]) {
    for (let width = 0; width < 30; width++)
      expect(stringWidth(shorten(name, width, glyphs))).toBeLessThanOrEqual(width);
  }
});

test('the middle of an id is left out', () => {
  expect(cutMiddle('202611230312194390000007IFYxT0L', 11, glyphs)).toBe('20261…YxT0L');
  expect(cutMiddle('short', 11, glyphs)).toBe('short');
  expect(cutMiddle('渠道名称很长', 8, glyphs)).toBe('渠道…长');
  expect(cutMiddle('abcdefgh', 4, glyphs)).toBe('abc…');
});
