/**
 * Commands as data (docs/rules/command-line.md#commands-are-data): help, flags, completion, docs
 * and most command bodies derive from the declaration.
 */
import type { Endpoint, InputOf, OutputOf } from '../../core/contract/endpoint.ts';
import type { Clock } from '../../core/kernel/clock.ts';
import { isObject } from '../../core/kernel/json.ts';
import { type ExitCode, exitCodes } from '../base/exit-codes.ts';
import type { Flag, Values } from '../base/flags.ts';
import type { Terminal } from '../base/terminal.ts';
import type { Text, TextParams } from '../base/text.ts';
import type { Connection } from '../connection/connect.ts';
import type { Output } from '../show/output.ts';
import { type Column, choose, printCard, printTable, type View } from '../show/table.ts';
import { isList as isListCommand, listFlags } from './list-flags.ts';
import { type Listing, readRows } from './paging.ts';

export interface Argument {
  readonly name: string;
  readonly summary: Text;
  readonly optional?: boolean;
  /** `id`: a positive integer; `ids`: one or several, with commas. */
  readonly kind: 'id' | 'ids' | 'text';
  readonly choices?: readonly string[];
}

/** What the body of a command can use. */
export interface Context {
  readonly values: Values;
  /** Validated arguments by name. */
  readonly arguments: Readonly<Record<string, string>>;
  readonly output: Output;
  readonly terminal: Terminal;
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
  /** The process runs nothing but this command. */
  readonly ownsProcess: boolean;
  /** Aborted by Ctrl-C and SIGTERM, which otherwise end the process immediately. */
  stop(): AbortSignal;
  /** The connection to the gateway; opened by the first call. */
  connection(): Promise<Connection>;
  /**
   * Lets go of a data folder that this process holds itself, so that a gateway can start on it; the
   * next call connects again. For commands that wait between calls. False: there is none.
   */
  release(): Promise<boolean>;
  call<E extends Endpoint>(call: E, input: InputOf<E>): Promise<OutputOf<E>>;
  /** Formatting of table cells, with the gateway's display settings. */
  view(): Promise<View>;
}

/** Result of a command: JSON for scripts, text for people. */
export interface Outcome {
  readonly json?: unknown;
  print?(output: Output, view: () => Promise<View>): void | Promise<void>;
  readonly exitCode?: ExitCode;
  /**
   * What ended the command after a part of the result: printed after it, with its own exit code.
   */
  readonly failure?: unknown;
}

export interface Command {
  /** Topic and verb: `tokens list`; a topic alone for commands without verbs. */
  readonly name: string;
  readonly summary: Text;
  /** Longer description for help and docs. */
  readonly details?: Text;
  readonly arguments: readonly Argument[];
  readonly flags: readonly Flag[];
  /** Question to confirm before it runs; without a terminal `--yes` is required. */
  readonly confirmation?: Text;
  /** The switch with which nothing is to be confirmed. */
  readonly asksUnless?: string;
  /** True: never connects to a gateway, so it has no connection flags. */
  readonly local: boolean;
  /** A data folder without a site gets a new one; other commands refuse it. */
  readonly makesSite?: boolean;
  /** The call whose output it prints as it is. */
  readonly calls?: Endpoint;
  run(context: Context): Promise<Outcome>;
}

type RowOf<O> = O extends { readonly items: readonly (infer Row)[] } ? Row : O;

interface Described {
  readonly name: string;
  readonly summary: Text;
  readonly details?: Text;
  readonly arguments?: readonly Argument[];
  readonly flags?: readonly Flag[];
  readonly confirmation?: Text;
  readonly asksUnless?: string;
  readonly local?: boolean;
  readonly makesSite?: boolean;
}

/**
 * A command that makes one API call: flags and the `id` argument are its input, columns display its
 * output.
 */
interface CallSpec<E extends Endpoint> extends Described {
  readonly calls: E;
  readonly columns?: readonly Column<RowOf<OutputOf<E>>>[];
  /** Fixed input fields. */
  readonly fixed?: Partial<InputOf<E>>;
  /** Message when the call returns nothing. */
  readonly done?: Text;
}
interface RunSpec extends Described {
  run(context: Context): Promise<Outcome>;
}

export function command<E extends Endpoint>(spec: CallSpec<E>): Command;
export function command(spec: RunSpec): Command;
export function command<E extends Endpoint>(spec: CallSpec<E> | RunSpec): Command {
  const common = {
    ...spec,
    arguments: spec.arguments ?? [],
    flags: [...(spec.flags ?? []), ...(isListCommand(spec) ? listFlags : [])],
    local: spec.local ?? false,
  };
  if ('run' in spec) return { ...common, run: spec.run };
  return { ...common, run: (context) => runCall(spec, context) };
}

async function runCall<E extends Endpoint>(spec: CallSpec<E>, context: Context): Promise<Outcome> {
  const id = context.arguments.id;
  const own = { ...(id === undefined ? {} : { id: Number(id) }), ...spec.fixed };
  const fetch = (input: object) => context.call(spec.calls, { ...input, ...own } as InputOf<E>);
  const columns = spec.columns ?? [];
  // Only lists have --all.
  const output = context.values.on('all')
    ? await readRows(context, fetch as (input: object) => Promise<Listing<RowOf<OutputOf<E>>>>)
    : await fetch(context.values.input());
  if (isList<RowOf<OutputOf<E>>>(output)) return listed(output, columns);
  if (isObject(output)) return shownEntity(output as RowOf<OutputOf<E>>, columns);
  return done(
    spec.done ?? texts.done,
    context.arguments,
    id === undefined ? {} : { id: Number(id) },
  );
}

function isList<Row>(output: unknown): output is Listing<Row> {
  return isObject(output) && Array.isArray(output.items) && typeof output.total === 'number';
}

/** A list: `{"items":[…],"total":…}`, or a table with a note if there are more rows. */
export function listed<Row>(list: Listing<Row>, columns: readonly Column<Row>[]): Outcome {
  return {
    json: { items: list.items, total: list.total },
    async print(output, view) {
      choose(output, columns);
      if (list.items.length === 0)
        return output.note((await view()).isSetUp === false ? texts.notSetUp : texts.empty);
      printTable(output, columns, list.items, await view());
      if (list.total > list.items.length)
        output.note(texts.more, { shown: list.items.length, total: list.total });
    },
  };
}

/** A single object: as JSON, or as a card. */
export function shownEntity<Row>(row: Row, columns: readonly Column<Row>[]): Outcome {
  return {
    json: row,
    print: async (output, view) => printCard(output, columns, row, await view()),
  };
}

/** A completed action: a message on stderr; scripts get the object. */
export function done(text: Text, params: TextParams = {}, json: unknown = {}): Outcome {
  return { json, print: (output) => output.note(text, params, 'ok') };
}

/** A list of names, one per line. */
export function named(items: readonly string[]): Outcome {
  return {
    json: { items, total: items.length },
    print: (output) => {
      for (const item of items) output.line(item);
    },
  };
}

/** A negative result, such as a failed test: printed like any other, with exit code 1. */
export function failedWith(outcome: Outcome): Outcome {
  return { ...outcome, exitCode: exitCodes.failed };
}

export const idArgument: Argument = { name: 'id', kind: 'id', summary: { en: 'Id', zh: '编号' } };

const texts = {
  done: { en: 'Done', zh: '完成' },
  empty: { en: 'Nothing found', zh: '没有记录' },
  notSetUp: {
    en: 'Nothing found: this site is not set up yet (turnpike setup)',
    zh: '没有记录：站点尚未初始化（turnpike setup）',
  },
  more: {
    en: '{shown} of {total}; use --page, --page-size or --all for more',
    zh: '共 {total} 条，显示 {shown} 条；用 --page、--page-size 或 --all 查看其余',
  },
} as const;
