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

/** Names of the pressed keys, as in the key table. Fast typing arrives as one input of several characters. */
export function keyName(input: string, key: Key): readonly string[] {
  for (const [flag, name] of named) if (key[flag] === true) return [name];
  if (key.ctrl) return [`ctrl+${input}`];
  return [...input].map((character) => (character === ' ' ? 'space' : character === '\r' ? 'enter' : character));
}
