/** What a command line says before it is parsed. */
import { connectionFlags, globalFlags } from './command/common-flags.ts';
import { type Topic, topics } from './topics.ts';

const shared = [...globalFlags, ...connectionFlags];

function isShared(word: string): boolean {
  return shared.some((flag) => `--${flag.name}` === word);
}

function takesValue(word: string): boolean {
  return shared.some((flag) => `--${flag.name}` === word && flag.kind !== 'switch');
}

/** Index of the command's name: the first argument that is neither a flag nor the value of one. */
export function commandIndex(argv: readonly string[]): number {
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (!word.startsWith('-')) return index;
    if (takesValue(word)) index++;
  }
  return argv.length;
}

/** The command of a line with a mistake; undefined if the line names none, or mistypes it. */
export async function commandOf(
  topic: Topic | undefined,
  argv: readonly string[],
): Promise<string | undefined> {
  const verb = argv[commandIndex(argv) + 1];
  return (await topic?.load())
    ?.map(({ name }) => name)
    .find((name) => name === topic?.name || name === `${topic?.name} ${verb}`);
}

const isTopic = (word: string | undefined) =>
  topics.some(({ name, alias }) => name === word || alias === word);

/** `turnpike help users add` means `turnpike users add --help`. */
export function withHelp(argv: readonly string[]): readonly string[] {
  const [first, second, third] = argv;
  if (first !== 'help') return second === 'help' && isTopic(first) ? [first ?? '', '--help'] : argv;
  // An unknown command is an error, with a suggestion, and not the help of the whole program.
  const isKnown = second === undefined || (isTopic(second) && third !== 'help');
  return isKnown ? [...argv.slice(1), '--help'] : argv.slice(1);
}

/** `turnpike --port 3001` means `turnpike serve --port 3001`. */
export function withServe(argv: readonly string[]): readonly string[] {
  if (argv.some((word) => ['-h', '--help', '-V', '--version'].includes(word))) return argv;
  const index = commandIndex(argv);
  const first = argv[index];
  // `--port 3001`: not a shared flag, so the next argument is its value and not a command.
  const before = argv[index - 1] ?? '';
  const isValue = before.startsWith('--') && !before.includes('=') && !isShared(before);
  return first === undefined || isValue ? ['serve', ...argv] : argv;
}

/** What follows a flag, or stands after its `=`. */
export function valueAfter(argv: readonly string[], flag: string): string | undefined {
  const index = argv.indexOf(flag);
  return index >= 0
    ? argv[index + 1]
    : argv.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
}
