/** Text fields of the terminal screens: cursor, paste and wide characters. */
import { expect, test } from 'vitest';
import { textOf, widthOf } from '../../../src/cli/kit/lines.ts';
import {
  drawTextInput,
  editText,
  type TextInput,
  textInput,
} from '../../../src/cli/kit/text-input.ts';

const press = (start: string, ...keys: readonly string[]): TextInput =>
  keys.reduce(editText, textInput(start));

test.each([
  ['typing goes in at the cursor', press('ac', 'left', 'b'), 'abc', 2],
  ['a blank has a name', press('a', 'space', 'b'), 'a b', 3],
  ['backspace takes the character before the cursor', press('abc', 'left', 'backspace'), 'ac', 1],
  ['ctrl+d takes the one under it', press('abc', 'home', 'ctrl+d'), 'bc', 0],
  [
    'the cursor stays inside the text',
    press('a', 'right', 'right', 'left', 'left', 'left'),
    'a',
    0,
  ],
  ['words are deleted with the blanks after them', press('one two  ', 'ctrl+w'), 'one ', 4],
  ['everything before the cursor', press('abcd', 'left', 'ctrl+u'), 'd', 0],
  ['everything after the cursor', press('abcd', 'home', 'right', 'ctrl+k'), 'a', 1],
  ['a pasted text is one line', press('x', 'one\r\ntwo\tthree\u0007'), 'xone two three', 14],
  [
    'an emoji of several code points is one character',
    press('a👩‍👩‍👧b', 'left', 'backspace'),
    'ab',
    1,
  ],
  ['Chinese is edited by character', press('渠道名称', 'left', 'left', '的'), '渠道的名称', 3],
  ['an accent joins the letter before it', press('cafe', '\u0301'), 'cafe\u0301', 4],
  ['other keys change nothing', press('ab', 'up', 'pagedown', 'tab', 'ctrl+x'), 'ab', 2],
])('%s', (_, input, text, cursor) => {
  expect(input).toEqual({ text, cursor });
});

test('a long text scrolls so that the cursor stays visible', () => {
  const long = textInput('0123456789abcdef');
  expect(textOf(drawTextInput(long, 8))).toBe('9abcdef ');
  expect(textOf(drawTextInput(editText(long, 'home'), 8))).toBe('01234567');
});

test('wide characters count two cells and are never cut in half', () => {
  const wide = textInput('渠道名称很长');
  for (const cursor of [0, 1, 2, 3, 4, 5, 6]) {
    const shown = drawTextInput({ ...wide, cursor }, 7);
    expect(widthOf(shown)).toBeLessThanOrEqual(7);
    expect(shown[1]).toEqual({ text: [...'渠道名称很长'][cursor] ?? ' ', tone: 'selected' });
  }
});
