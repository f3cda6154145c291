/** One run of the command line, from the words typed to the exit code. The machine is handed in, so tests own it. */
import type { Endpoint, InputOf, OutputOf } from '../core/contract/endpoint.ts';
import { openEnvelope } from '../core/contract/envelope.ts';
import { type Clock, nowSeconds } from '../core/kernel/clock.ts';
import { type ExitCode, exitCodeOf, exitCodes } from './base/exit-codes.ts';
import { describeFailure } from './base/failure.ts';
import { Values } from './base/flags.ts';
import { createTerminal, type InputStream, type Terminal } from './base/terminal.ts';
import { type Language, pickLanguage } from './base/text.ts';
import { UsageError } from './base/usage-error.ts';
import type { Context } from './command/command.ts';
import { connectionFlags, globalFlags } from './command/common-flags.ts';
import type { Connection } from './connection/connect.ts';
import { buildProgram, CommanderError, explainMistake, type Request } from './program.ts';
import { createMoney, defaultMoney } from './show/money.ts';
import { Output, type Sink } from './show/output.ts';
import type { View } from './show/table.ts';
import { topics } from './topics.ts';

export interface Machine {
  /** Words after the program's name. */
  readonly words: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly stdin: InputStream;
  readonly stdout: Sink;
  readonly stderr: NodeJS.WritableStream & Sink;
  readonly clock: Clock;
  /** Ends with Ctrl-C or SIGTERM from the first time somebody asks for it; until then those end the process. */
  stop(): AbortSignal;
  /** Stand in for the real ones in tests. */
  readonly connect?: (values: Values, environment: NodeJS.ProcessEnv, language: Language) => Promise<Connection>;
  readonly terminal?: Terminal;
}

/** Runs one command line. Everything that goes wrong is said on stderr; nothing is thrown. */
export async function runCommandLine(machine: Machine): Promise<ExitCode> {
  const words = withServe(machine.words);
  const language = pickLanguage(valueAfter(words, '--lang') ?? machine.environment.TURNPIKE_LANG, machine.environment);
  const json = words.includes('--json') || /^(1|true|yes|on)$/i.test(machine.environment.TURNPIKE_JSON ?? '');
  const quiet = words.includes('--quiet') || /^(1|true|yes|on)$/i.test(machine.environment.TURNPIKE_QUIET ?? '');
  const { stdout, stderr, environment } = machine;
  const output = new Output({ stdout, stderr, language, json, quiet, environment });
  const first = words[commandIndex(words)];
  const topic = topics.find((one) => one.name === first || (one.alias !== undefined && one.alias === first));
  let exitCode: ExitCode = exitCodes.done;
  let said = '';
  try {
    if (words[0] === 'complete' && words[1] === '--') {
      await (await import('./completion.ts')).printCompletions(words.slice(2), language);
      return exitCodes.done;
    }
    const settings = {
      language,
      write: (text: string) => void stdout.write(text),
      writeError: (text: string) => {
        said += text; // told below, in the language and shape asked for
      },
      run: async (request: Request) => {
        exitCode = await runRequest(request, machine, output);
      },
    };
    const program = await buildProgram(settings, topic === undefined ? [] : [topic]);
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return endOfParsing(error, said, output);
    const failure = describeFailure(error, language);
    output.fail(failure.code, failure.message);
    return exitCodeOf(error);
  }
}

/** commander ends help and version by throwing too; a topic without a verb shows its help. */
function endOfParsing(error: CommanderError, said: string, output: Output): ExitCode {
  if (error.exitCode === 0) return exitCodes.done;
  if (error.code === 'commander.help') {
    if (output.json) output.fail('usage', output.say(texts.verbMissing));
    else output.aside(said);
    return exitCodes.usage;
  }
  output.fail('usage', explainMistake(error, output.language));
  return exitCodes.usage;
}

async function runRequest(request: Request, machine: Machine, output: Output): Promise<ExitCode> {
  const { command } = request;
  const values = new Values(request.flags, request.given, machine.environment);
  const words = Object.fromEntries(command.arguments.map((argument, index) => [argument.name, request.words[index]]));
  const terminal = machine.terminal ?? createTerminal(machine, output.language);
  for (const argument of command.arguments) {
    const word = words[argument.name];
    if (argument.kind === 'id' && word !== undefined && !/^[1-9]\d{0,15}$/.test(word)) throw new UsageError(texts.id, { word });
  }
  let opened: Promise<Connection> | undefined;
  const connection = () => {
    opened ??= openConnection(machine, values, output.language);
    return opened;
  };
  const context: Context = {
    values,
    arguments: words as Record<string, string>,
    output,
    terminal,
    environment: machine.environment,
    clock: machine.clock,
    stop: () => machine.stop(),
    connection,
    call: async <E extends Endpoint>(call: E, input: InputOf<E>) =>
      openEnvelope(call, await (await connection()).transport(call, input as Record<string, unknown>)).output as OutputOf<E>,
    view: () => makeView(connection, output, machine.clock),
  };
  if (command.asks !== undefined && !(await isAgreed(command.asks, context))) return exitCodes.failed;
  try {
    const outcome = await command.run(context);
    if (output.json) {
      if (outcome.json !== undefined) output.printJson(outcome.json);
    } else await outcome.print?.(output, context.view);
    return outcome.exitCode ?? exitCodes.done;
  } finally {
    const connected = await opened?.catch(() => undefined); // its failure was told where it was awaited
    await connected?.close();
  }
}

/** Loaded late: help and mistakes need no client. */
async function openConnection(machine: Machine, values: Values, language: Language): Promise<Connection> {
  const connect = machine.connect ?? (await import('./connection/connect.ts')).connect;
  return connect(values, machine.environment, language);
}

async function isAgreed(question: NonNullable<Request['command']['asks']>, context: Context): Promise<boolean> {
  if (context.values.on('yes')) return true;
  if (!context.terminal.interactive) throw new UsageError(texts.yes);
  const agreed = await context.terminal.confirm(question, context.arguments);
  if (!agreed) context.output.note(texts.kept);
  return agreed;
}

/** The status object tells how the site shows amounts; a site that tells nothing shows dollars. */
async function makeView(connection: () => Promise<Connection>, output: Output, clock: Clock): Promise<View> {
  const opened = await connection();
  const money = await opened.client.system.status().then(createMoney, () => defaultMoney);
  return { language: output.language, money, now: nowSeconds(clock) };
}

const shared = [...globalFlags, ...connectionFlags];

function isShared(word: string): boolean {
  return shared.some((flag) => `--${flag.name}` === word);
}

function takesValue(word: string): boolean {
  return shared.some((flag) => `--${flag.name}` === word && flag.kind !== 'switch');
}

/** Where the command's name stands: the first word that is neither a flag nor the value of one. */
function commandIndex(words: readonly string[]): number {
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (!word.startsWith('-')) return index;
    if (takesValue(word)) index++;
  }
  return words.length;
}

/** `turnpike --port 3001` means `turnpike serve --port 3001`. */
function withServe(words: readonly string[]): readonly string[] {
  if (words.some((word) => ['-h', '--help', '-V', '--version'].includes(word))) return words;
  const index = commandIndex(words);
  const first = words[index];
  // `--port 3001`: not a flag of every command, so what follows is its value and no command.
  const before = words[index - 1] ?? '';
  const isValue = before.startsWith('--') && !before.includes('=') && !isShared(before);
  return first === undefined || isValue ? ['serve', ...words] : words;
}

function valueAfter(words: readonly string[], flag: string): string | undefined {
  const index = words.indexOf(flag);
  return index >= 0 ? words[index + 1] : words.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
}

const texts = {
  id: { en: '{word} is not an id: write its number', zh: '{word} 不是编号：请写数字' },
  yes: { en: 'This asks before it acts: add --yes where nobody can answer', zh: '该操作需要确认：无人应答时请加 --yes' },
  kept: { en: 'Nothing was changed', zh: '未做任何更改' },
  verbMissing: { en: 'Which one? See --help', zh: '请指定子命令，见 --help' },
} as const;
