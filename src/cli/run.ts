/**
 * Runs a command line, from its arguments to the exit code. The environment is passed in, so that
 * tests control it.
 */
import type { Endpoint, InputOf, OutputOf } from '../core/contract/endpoint.ts';
import { openEnvelope } from '../core/contract/envelope.ts';
import { type Clock, nowSeconds } from '../core/kernel/clock.ts';
import { AppError } from '../core/kernel/errors.ts';
import { commandIndex, commandOf, valueAfter, withHelp, withServe } from './argv.ts';
import { type ExitCode, exitCodeOf, exitCodes } from './base/exit-codes.ts';
import { describeFailure, namingFlags } from './base/failure.ts';
import { Values } from './base/flags.ts';
import { createTerminal, type InputStream, type Terminal } from './base/terminal.ts';
import { type Language, pickLanguage } from './base/text.ts';
import { UsageError } from './base/usage-error.ts';
import type { Context } from './command/command.ts';
import type { Connection, connect } from './connection/connect.ts';
import { cut } from './kit/lines.ts';
import { buildProgram, CommanderError, type Request, usageErrorMessage } from './program.ts';
import { createMoney, defaultMoney } from './show/money.ts';
import { Output, type Sink } from './show/output.ts';
import type { View } from './show/table.ts';
import { topics } from './topics.ts';

export interface Machine {
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly stdin: InputStream;
  readonly stdout: Sink;
  readonly stderr: NodeJS.WritableStream & Sink;
  readonly clock: Clock;
  /** Aborted by Ctrl-C and SIGTERM. Before the first call these signals end the process. */
  stop(): AbortSignal;
  /** The process runs nothing but this command line; absent: it runs others, too. */
  readonly ownsProcess?: boolean;
  /** Replacements for tests. */
  readonly connect?: typeof connect;
  readonly terminal?: Terminal;
}

/** Cells of a line of help, at most; longer ones are hard to read. */
const widestHelp = 100;

/** Runs one command line. Errors are written to stderr; never throws. */
export async function runCommandLine(machine: Machine): Promise<ExitCode> {
  const argv = withServe(withHelp(machine.argv));
  const language = pickLanguage(
    valueAfter(argv, '--lang') ?? machine.environment.TURNPIKE_LANG,
    machine.environment,
  );
  const json =
    argv.includes('--json') || /^(1|true|yes|on)$/i.test(machine.environment.TURNPIKE_JSON ?? '');
  const quiet =
    argv.includes('--quiet') || /^(1|true|yes|on)$/i.test(machine.environment.TURNPIKE_QUIET ?? '');
  const { stdout, stderr, environment } = machine;
  const output = new Output({ stdout, stderr, language, json, quiet, environment });
  const first = argv[commandIndex(argv)];
  const topic = topics.find(
    (one) => one.name === first || (one.alias !== undefined && one.alias === first),
  );
  let exitCode: ExitCode = exitCodes.done;
  let commanderOutput = '';
  let running: Request | undefined;
  try {
    if (argv[0] === 'complete' && argv[1] === '--') {
      const { completionsOf } = await import('./complete.ts');
      for (const line of await completionsOf({ words: argv.slice(2), language, environment }))
        output.line(line);
      return exitCodes.done;
    }
    const settings = {
      language,
      width: Math.min(output.width, widestHelp),
      write: (text: string) => void stdout.write(text),
      writeError: (text: string) => {
        commanderOutput += text; // printed below, in the requested language and format
      },
      run: async (request: Request) => {
        running = request;
        exitCode = await runRequest(request, machine, output);
      },
    };
    const program = await buildProgram(settings, topic === undefined ? [] : [topic]);
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      const exitCode = endOfParsing(error, commanderOutput, output);
      if (exitCode !== exitCodes.done && !output.json)
        await showHint('usage', { name: await commandOf(topic, argv) }, [], output);
      return exitCode;
    }
    if (machine.ownsProcess && (error as NodeJS.ErrnoException).path === 'stdout')
      return exitCodeOf(error); // the listener of standard output says it
    const failure = describeFailure(error, language);
    const { flags = [], given = {} } = running ?? {};
    output.fail(failure.code, namingFlags(failure, flags, given));
    if (running === undefined || output.json) return exitCodeOf(error);
    await showHint(failure.code, running.command, running.argumentValues, output);
    return exitCodeOf(error);
  }
}

/** Without the name of a command there is nothing to point at. */
async function showHint(
  code: string,
  { name }: { name: string | undefined },
  words: Request['argumentValues'],
  output: Output,
) {
  if (name === undefined) return;
  const { hintFor } = await import('./hints.ts');
  const hint = await hintFor(code, { name }, words);
  if (hint !== undefined) output.note(hint.text, hint.params);
}

/** commander also throws after help and version. A topic without a verb shows its help. */
function endOfParsing(error: CommanderError, commanderOutput: string, output: Output): ExitCode {
  if (error.exitCode === 0) return exitCodes.done;
  if (error.code === 'commander.help') {
    if (output.json) output.fail('usage', output.localize(texts.verbMissing));
    else output.aside(commanderOutput);
    return exitCodes.usage;
  }
  output.fail('usage', usageErrorMessage(error, output.language));
  return exitCodes.usage;
}

async function runRequest(request: Request, machine: Machine, plain: Output): Promise<ExitCode> {
  const { command } = request;
  const values = new Values(request.flags, request.given, machine.environment);
  const output = withColumns(values, plain);
  const typed = Object.fromEntries(
    command.arguments.map((argument, index) => [argument.name, request.argumentValues[index]]),
  );
  const terminal = machine.terminal ?? createTerminal(machine, output.language);
  for (const argument of command.arguments) {
    const word = typed[argument.name];
    if (argument.kind === 'text' || word === undefined) continue;
    const wrong = (argument.kind === 'ids' ? word.split(',') : [word]).find(
      (one) => !/^[1-9]\d{0,15}$/.test(one),
    );
    if (wrong !== undefined) throw new UsageError(texts.id, { word: wrong });
  }
  let opened: Promise<Connection> | undefined;
  let wasReleased = false;
  const open = () => openConnection(machine, values, output.language, command.makesSite);
  const connection = () => {
    opened ??= wasReleased ? reconnect(open, machine) : open();
    return opened;
  };
  const release = async () => {
    const held = await opened;
    if (held?.kind !== 'direct') return false;
    opened = undefined;
    wasReleased = true;
    await held.close();
    return true;
  };
  const context: Context = {
    values,
    arguments: typed as Record<string, string>,
    output,
    terminal,
    environment: machine.environment,
    clock: machine.clock,
    ownsProcess: machine.ownsProcess ?? false,
    stop: () => machine.stop(),
    connection,
    release,
    call: async <E extends Endpoint>(call: E, input: InputOf<E>) =>
      openEnvelope(
        call,
        await (await connection()).transport(call, input as Record<string, unknown>),
      ).output as OutputOf<E>,
    view: () => makeView(connection, output, machine.clock),
  };
  const { confirmation, asksUnless } = command;
  const asks = asksUnless === undefined || !values.on(asksUnless);
  if (confirmation !== undefined && asks && !(await isConfirmed(confirmation, context)))
    return exitCodes.failed;
  try {
    await values.lookUp(context.call);
    if (values.flag('watch')?.optionalValue === true && values.has('watch'))
      return await (await import('./watch.ts')).watch(command, context);
    const outcome = await command.run(context);
    if (output.json) {
      if (outcome.json !== undefined) output.printJson(outcome.json);
    } else await outcome.print?.(output, context.view);
    if (outcome.failure !== undefined) throw outcome.failure;
    return outcome.exitCode ?? exitCodes.done;
  } finally {
    // a failure was already thrown where it was awaited
    const connected = await opened?.catch(() => undefined);
    await connected?.close();
  }
}

/** The columns that `--columns` names. Throws UsageError for none, and beside `--json`. */
function withColumns(values: Values, output: Output): Output {
  const given = values.text('columns');
  if (given === undefined) return output;
  if (output.json) throw new UsageError(texts.columnsOfJson);
  return output.withColumns(given.split(',').map((name) => name.trim()));
}

/** Imported lazily: help and usage errors need no client. */
async function openConnection(
  machine: Machine,
  values: Values,
  language: Language,
  makesSite = false,
): Promise<Connection> {
  const connect = machine.connect ?? (await import('./connection/connect.ts')).connect;
  return connect(values, machine.environment, language, { makesSite });
}

/** Cells of an argument in a question; more would push the question off a small terminal. */
const shownCells = 40;

/** ms between two tries to open a data folder that another process has. */
const lockedPauseMs = 500;

/**
 * Opens a connection again. Another process that has the data folder meanwhile, as a gateway that
 * starts, is waited for.
 */
async function reconnect(
  open: () => Promise<Connection>,
  { clock, stop }: Machine,
): Promise<Connection> {
  const stopped = stop();
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'data_folder_locked') throw error;
    }
    await clock.sleep(lockedPauseMs, stopped).catch(() => {}); // only the signal rejects
    stopped.throwIfAborted();
  }
}

async function isConfirmed(
  question: NonNullable<Request['command']['confirmation']>,
  context: Context,
): Promise<boolean> {
  if (context.values.on('yes')) return true;
  if (!context.terminal.interactive) throw new UsageError(texts.yes);
  const shown = Object.entries(context.arguments).map(([name, word]) => [
    name,
    cut(word, shownCells, { ellipsis: '…' }),
  ]);
  const confirmed = await context.terminal.confirm(question, Object.fromEntries(shown));
  if (!confirmed) context.output.note(texts.unchanged);
  return confirmed;
}

/** The status object says how the site displays amounts; without it, in dollars. */
async function makeView(
  connection: () => Promise<Connection>,
  output: Output,
  clock: Clock,
): Promise<View> {
  const opened = await connection();
  const site = await opened.client.system
    .status()
    .then((status) => ({ money: createMoney(status), isSetUp: status.setup }))
    .catch(() => ({ money: defaultMoney }));
  return { language: output.language, ...site, now: nowSeconds(clock) };
}

const texts = {
  columnsOfJson: {
    en: '--columns is for tables: JSON has all fields, of which jq takes some',
    zh: '--columns 只用于表格：JSON 总是包含全部字段，可用 jq 挑选',
  },
  id: {
    en: '{word} is not an id: use a whole number, 1 or more',
    zh: '{word} 不是编号：请使用不小于 1 的整数',
  },
  yes: {
    en: 'This needs confirmation: add --yes when not on a terminal',
    zh: '该操作需要确认：非交互运行时请加 --yes',
  },
  unchanged: { en: 'Nothing was changed', zh: '未做任何更改' },
  verbMissing: { en: 'Subcommand missing: see --help', zh: '请指定子命令，见 --help' },
} as const;
