/**
 * Shell completion: the completion scripts call `turnpike complete -- WORDS`, the last word being
 * unfinished.
 */
import { type Language, localize } from './base/text.ts';
import type { Command } from './command/command.ts';
import { connectionFlags, flagsOf, globalFlags } from './command/common-flags.ts';
import type { Candidate } from './completion/candidates.ts';
import { findCandidates } from './completion/candidates.ts';
import { readLine } from './completion/line.ts';
import { plainText } from './kit/lines.ts';
import { type Topic, topics } from './topics.ts';

export interface CompletionRequest {
  /** After the program's name. */
  readonly words: readonly string[];
  readonly language: Language;
  readonly environment: NodeJS.ProcessEnv;
}

/** What shells do when nothing is offered: nothing, or complete names of files. */
const directives = { nothing: ':4', files: ':0' } as const;

/** Lines of `VALUE<TAB>NOTE`, and the directive. */
export async function completionsOf(request: CompletionRequest): Promise<readonly string[]> {
  const { words, language } = request;
  const typed = words.at(-1) ?? '';
  const [noun, verb] = positions(words);
  if (noun === undefined) {
    if (typed.startsWith('-') || expectsValue(words.at(-2)))
      return completeWord(anyCommand, words, request);
    return offered(
      topics.map(({ name, summary }) => ({ value: name, note: localize(language, summary) })),
      typed,
    );
  }
  const topic = topics.find(({ name, alias }) => words[noun] === name || words[noun] === alias);
  if (topic === undefined) return [directives.nothing];
  const commands = await topic.load();
  const verbs = commands.filter(({ name }) => name !== topic.name);
  if (
    verb === undefined &&
    verbs.length > 0 &&
    !typed.startsWith('-') &&
    !expectsValue(words.at(-2))
  )
    return offered(
      verbs.map(({ name, summary }) => ({
        value: name.slice(topic.name.length + 1),
        note: localize(language, summary),
      })),
      typed,
    );
  const command = commandAt(commands, topic, verb === undefined ? undefined : words[verb]);
  if (command === undefined) return [directives.nothing];
  const named = command.name === topic.name ? [noun] : [noun, verb];
  return completeWord(
    command,
    words.filter((_, place) => !named.includes(place)),
    request,
  );
}

const sharedFlags = [...globalFlags, ...connectionFlags];

/** Flags may stand before the command. */
const expectsValue = (word: string | undefined) =>
  sharedFlags.some(({ name, kind }) => kind !== 'switch' && word === `--${name}`);

/** Where noun and verb are, the unfinished word left aside. */
function positions(words: readonly string[]): readonly (number | undefined)[] {
  return [...words.keys()]
    .slice(0, -1)
    .filter((place) => !words[place]?.startsWith('-') && !expectsValue(words[place - 1]))
    .slice(0, 2);
}

/** Before a command is named, the flags that nearly all have are possible. */
const anyCommand: Command = {
  name: '',
  summary: { en: '', zh: '' },
  arguments: [],
  flags: [],
  local: false,
  run: () => Promise.reject(new Error('completion runs no command')),
};

/** `doctor` has a verb, and is a command without one. */
function commandAt(
  commands: readonly Command[],
  { name: topic }: Topic,
  verb: string | undefined,
): Command | undefined {
  return (
    commands.find(({ name }) => name === `${topic} ${verb}`) ??
    commands.find(({ name }) => name === topic)
  );
}

async function completeWord(
  command: Command,
  words: readonly string[],
  request: CompletionRequest,
): Promise<readonly string[]> {
  const { language, environment } = request;
  const line = readLine(command, words);
  const { place, typed } = line;
  if (place.kind === 'flag') {
    const flags = flagsOf(command).filter(({ name }) => !place.given.has(`--${name}`));
    return offered(
      flags.map(({ name, summary }) => ({ value: `--${name}`, note: localize(language, summary) })),
      typed,
    );
  }
  const found = await findCandidates(command, line, environment, language).catch(
    (): readonly Candidate[] => [],
  );
  if (found.length === 0 && isFile(place)) return [directives.files];
  // Of a list, the last entry is completed.
  const listed =
    place.kind === 'value' && place.flag.placeholder === 'A,B'
      ? typed.slice(0, typed.lastIndexOf(',') + 1)
      : '';
  const remaining = found.filter(({ value }) => !listed.split(',').includes(value));
  return offered(
    remaining.map(({ value, note }) => ({ value: listed + value, note })),
    typed,
  );
}

function isFile(place: ReturnType<typeof readLine>['place']): boolean {
  if (place.kind === 'value') return ['FILE', 'DIR'].includes(place.flag.placeholder ?? '');
  return place.kind === 'argument' && ['file', 'source'].includes(place.argument?.name ?? '');
}

/** Only what a shell takes as one word without quotes, so that a name cannot become a command. */
const plainWord = /^[\p{L}\p{N}._:@/+,=%-]+$/u;

function offered(found: readonly Candidate[], typed: string): readonly string[] {
  const fitting = found.filter(({ value }) => value.startsWith(typed) && plainWord.test(value));
  const unique = new Map(fitting.map(({ value, note }) => [value, note]));
  return [
    ...[...unique].map(([value, note]) => `${value}\t${plainText(note)}`),
    directives.nothing,
  ];
}
