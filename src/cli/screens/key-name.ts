import type { Key } from 'ink';

const named: readonly (readonly [keyof Key, string])[] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  ['tab', 'tab'],
  ['backspace', 'backspace'],
  ['delete', 'backspace'], // many terminals send DEL for the backspace key
];

const controls: Readonly<Record<string, string>> = {
  ' ': 'space',
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\u007f': 'backspace',
  '\u001b': 'escape',
};

/** The name of one character of what was typed: Ctrl and a letter is a control character. */
function characterName(character: string): string {
  const name = controls[character];
  if (name !== undefined) return name;
  const code = character.charCodeAt(0);
  return code >= 1 && code <= 26 ? `ctrl+${String.fromCharCode(code + 96)}` : character;
}

/**
 * Names of the pressed keys, as in the key table. Fast typing, or a slow connection, gives one
 * input of several keys; then Escape and the key after it look like Alt and that key, which no key
 * of the screens is.
 */
export function keyName(input: string, key: Key): readonly string[] {
  const before = key.meta && !key.escape ? ['escape'] : [];
  for (const [flag, name] of named) if (key[flag] === true) return [...before, name];
  if (key.ctrl) return [...before, `ctrl+${input}`];
  return [...before, ...[...input].map(characterName)];
}
