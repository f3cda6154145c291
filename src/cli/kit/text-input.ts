/**
 * One line of text being edited in a terminal: a value and a cursor. Pure, so that every screen and
 * test uses the same one. Positions are counted in graphemes (what a reader sees as one character),
 * widths in terminal cells.
 */
import stringWidth from 'string-width';
import { graphemesOf, type Line, line, span } from './lines.ts';

export interface TextInput {
  readonly text: string;
  /** Graphemes before the cursor. */
  readonly cursor: number;
}

export function textInput(text = ''): TextInput {
  return { text, cursor: graphemesOf(text).length };
}

/**
 * Replaces line breaks and other control characters of a pasted text by spaces: a field has one
 * line.
 */
function asOneLine(text: string): string {
  return text.replace(/\r\n?|\n|\t/g, ' ').replace(/\p{Cc}/gu, '');
}

function replaceRange({ text }: TextInput, from: number, to: number, inserted: string): TextInput {
  const graphemes = graphemesOf(text);
  const before = graphemes.slice(0, from).join('') + inserted;
  // Counted again: an inserted combining mark joins the character before it.
  return { text: before + graphemes.slice(to).join(''), cursor: graphemesOf(before).length };
}

/** Start of the word before the cursor, skipping spaces after it. */
function wordStart({ text, cursor }: TextInput): number {
  const graphemes = graphemesOf(text);
  let at = cursor;
  while (at > 0 && graphemes[at - 1]?.trim() === '') at -= 1;
  while (at > 0 && graphemes[at - 1]?.trim() !== '') at -= 1;
  return at;
}

type Edit = (input: TextInput, length: number) => TextInput;

/** Editing keys as in shells and lazygit. */
const edits: Readonly<Record<string, Edit>> = {
  left: (input) => ({ ...input, cursor: Math.max(0, input.cursor - 1) }),
  right: (input, length) => ({ ...input, cursor: Math.min(length, input.cursor + 1) }),
  home: (input) => ({ ...input, cursor: 0 }),
  end: (input, length) => ({ ...input, cursor: length }),
  backspace: (input) => replaceRange(input, Math.max(0, input.cursor - 1), input.cursor, ''),
  'ctrl+a': (input) => ({ ...input, cursor: 0 }),
  'ctrl+d': (input) => replaceRange(input, input.cursor, input.cursor + 1, ''),
  'ctrl+e': (input, length) => ({ ...input, cursor: length }),
  'ctrl+k': (input, length) => replaceRange(input, input.cursor, length, ''),
  'ctrl+u': (input) => replaceRange(input, 0, input.cursor, ''),
  'ctrl+w': (input) => replaceRange(input, wordStart(input), input.cursor, ''),
};

/** Keys that have a name but change no text. */
const otherKeys = /^(up|down|pageup|pagedown|tab|enter|escape|ctrl\+.)$/;

/**
 * The input after a key (`left`, `ctrl+w`), a typed character or a pasted text. Other keys leave it
 * unchanged.
 */
export function editText(input: TextInput, key: string): TextInput {
  const edit = edits[key];
  if (edit !== undefined) return edit(input, graphemesOf(input.text).length);
  if (otherKeys.test(key)) return input;
  return replaceRange(input, input.cursor, input.cursor, key === 'space' ? ' ' : asOneLine(key));
}

/**
 * The input in at most `width` cells with its cursor shown; a long text scrolls so that the cursor
 * stays visible.
 */
export function drawTextInput({ text, cursor }: TextInput, width: number): Line {
  const graphemes = graphemesOf(text);
  const at = graphemes[cursor] ?? ' ';
  let start = cursor;
  let used = stringWidth(at);
  while (start > 0 && used + stringWidth(graphemes[start - 1] ?? '') <= width) {
    start -= 1;
    used += stringWidth(graphemes[start] ?? '');
  }
  let end = Math.min(cursor + 1, graphemes.length);
  while (end < graphemes.length && used + stringWidth(graphemes[end] ?? '') <= width) {
    used += stringWidth(graphemes[end] ?? '');
    end += 1;
  }
  return line(
    graphemes.slice(start, cursor).join(''),
    span(at, 'selected'),
    graphemes.slice(cursor + 1, end).join(''),
  );
}
