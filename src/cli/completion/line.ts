/**
 * What is being completed on an unfinished command line: which flag, the value of which flag, which
 * argument.
 */
import type { Flag } from '../base/flags.ts';
import type { Argument, Command } from '../command/command.ts';
import { flagsOf } from '../command/common-flags.ts';

export type Place =
  | { readonly kind: 'flag'; readonly given: ReadonlySet<string> }
  | { readonly kind: 'value'; readonly flag: Flag }
  | { readonly kind: 'argument'; readonly argument: Argument | undefined };

export interface Line {
  readonly place: Place;
  /** What is typed of the word, without `--flag=`. */
  readonly typed: string;
  /** Values of the flags before it, by name. */
  readonly values: Readonly<Record<string, string>>;
}

/** Reads the words after the command's name; the last one is completed. */
export function readLine(command: Command, words: readonly string[]): Line {
  const flags = new Map(flagsOf(command).map((flag) => [`--${flag.name}`, flag]));
  const values: Record<string, string> = {};
  const given = new Set<string>();
  const last = words.at(-1) ?? '';
  let place = 0;
  let pending: Flag | undefined;
  for (const word of words.slice(0, -1)) {
    const [name = '', value] = splitFlag(word);
    if (pending !== undefined) {
      values[pending.name] = word;
      pending = undefined;
    } else if (word.startsWith('-')) {
      const flag = flags.get(name);
      given.add(name);
      if (value !== undefined) values[name.slice(2)] = value;
      else if (flag !== undefined && flag.kind !== 'switch' && !flag.optionalValue) pending = flag;
    } else place += 1;
  }
  if (pending !== undefined)
    return { place: { kind: 'value', flag: pending }, typed: last, values };
  const [name = '', typed] = splitFlag(last);
  const flag = flags.get(name);
  if (flag !== undefined && typed !== undefined)
    return { place: { kind: 'value', flag }, typed, values };
  if (last.startsWith('-')) return { place: { kind: 'flag', given }, typed: last, values };
  return { place: { kind: 'argument', argument: command.arguments[place] }, typed: last, values };
}

/** `--name=value` in two. */
function splitFlag(word: string): readonly [string, string | undefined] {
  const at = word.indexOf('=');
  return word.startsWith('--') && at > 0
    ? [word.slice(0, at), word.slice(at + 1)]
    : [word, undefined];
}
