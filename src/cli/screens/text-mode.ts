/**
 * The screens for screen readers: the view is printed as plain lines, without frames, when
 * something was typed. Keys are typed as words, one line at a time.
 */
import { createInterface } from 'node:readline';
import { textOf } from '../kit/lines.ts';
import type { AppModel } from './app-model.ts';

const keyWords: Readonly<Record<string, string>> = {
  esc: 'escape',
  pgup: 'pageup',
  pgdn: 'pagedown',
};
const namedKeys = new Set([
  'up',
  'down',
  'left',
  'right',
  'enter',
  'escape',
  'tab',
  'space',
  'pageup',
  'pagedown',
  'home',
  'end',
]);

/**
 * The keys of a typed line: `4`, `down enter`, `:users linxi`, `/text`; the answer to a question;
 * the text of a field.
 */
export function keysOf(typed: string, isTyping: boolean): readonly string[] {
  const text = typed.trim();
  if (isTyping) {
    if (/^esc(ape)?$/i.test(text)) return ['escape'];
    return text === '' ? ['enter'] : ['ctrl+u', text, 'enter'];
  }
  if (text.startsWith(':') || text.startsWith('/')) {
    const rest = text.slice(1);
    return [text.slice(0, 1), 'ctrl+u', ...(rest === '' ? [] : [rest]), 'enter'];
  }
  return text
    .split(/\s+/)
    .map((word) => keyWords[word.toLowerCase()] ?? word)
    .flatMap((word) => (namedKeys.has(word) || word === '' ? [word] : [...word]))
    .filter((key) => key !== '');
}

export interface TextModeSettings {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
}

/** Prints the view and reads lines until `closed` resolves, or the input ends. */
export async function openTextMode(
  model: AppModel,
  { stdin, stdout }: TextModeSettings,
  closed: Promise<void>,
): Promise<void> {
  const print = () => stdout.write(`${model.drawPlain().map(textOf).join('\n').trimEnd()}\n> `);
  await model.live.refresh();
  print();
  const lines = createInterface({ input: stdin });
  void closed.then(() => lines.close());
  // One line after the other, also where they arrive at once and the input has ended.
  for await (const typed of lines) {
    for (const key of keysOf(typed, model.isTyping)) {
      model.press(key);
      await model.settled;
    }
    if (model.hasQuit) break;
    await model.live.refresh();
    print();
  }
  lines.close();
  model.live.close();
}
