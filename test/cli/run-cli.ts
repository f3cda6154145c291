/**
 * Runs command lines in this process, with a new core or any transport, and captures their output.
 */
import { PassThrough, Readable } from 'node:stream';
import type { Terminal } from '../../src/cli/base/terminal.ts';
import type { Connection } from '../../src/cli/connection/connect.ts';
import { runCommandLine } from '../../src/cli/run.ts';
import type { Sink } from '../../src/cli/show/output.ts';
import { createClient, type Transport } from '../../src/core/contract/client.ts';
import { systemClock } from '../../src/core/kernel/clock.ts';
import { expectDeclaredJson } from './declared-json.ts';

export interface RunOptions {
  readonly transport?: Transport;
  /** True: it connects as the program does, to a running gateway or to the data folder. */
  readonly connects?: boolean;
  /** The gateway that the transport reaches; absent: a data folder without one. */
  readonly gateway?: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** Standard input; absent: empty. */
  readonly input?: string;
  /** Simulates an interactive terminal with these answers. */
  readonly person?: {
    readonly agrees?: boolean;
    readonly answers?: readonly string[];
    readonly asked?: unknown[];
  };
  readonly stop?: AbortSignal;
  /** Sees what is written to stderr while the command runs. */
  readonly onError?: (text: string) => void;
  /** Sees what is written to stdout while the command runs. */
  readonly onOutput?: (text: string) => void;
  /** Simulates an output that is a terminal of this width. */
  readonly columns?: number;
}

export interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Questions that were asked. */
  readonly questions: readonly string[];
  /** stdout as JSON. */
  json<T>(): T;
  /** The failure on stderr as JSON. */
  failure(): { readonly code: string; readonly message: string };
}

class TextSink extends PassThrough implements Sink {
  text = '';
  readonly isTTY: boolean;
  readonly columns: number | undefined;
  readonly #onText: (text: string) => void;
  constructor(columns?: number, onText: (text: string) => void = () => {}) {
    super();
    this.#onText = onText;
    this.isTTY = columns !== undefined;
    this.columns = columns;
  }
  override write(chunk: unknown): boolean {
    this.text += String(chunk);
    this.#onText(String(chunk));
    return true;
  }
}

export async function runCli(argv: readonly string[], options: RunOptions = {}): Promise<Run> {
  const stdout = new TextSink(options.columns, options.onOutput);
  const stderr = new TextSink(
    options.onError === undefined ? undefined : options.columns,
    options.onError,
  );
  const questions: string[] = [];
  const { transport, person } = options;
  const stdin = Readable.from(options.input === undefined ? [] : [Buffer.from(options.input)]);
  const answers = [...(person?.answers ?? [])];
  const terminal: Terminal | undefined = person && {
    interactive: true,
    confirm: async (question, params) => {
      questions.push(question.en);
      person.asked?.push(params);
      return person.agrees === true;
    },
    ask: async (question) => {
      questions.push(question.en);
      return answers.shift() ?? '';
    },
    choose: async (question, _choices, preset) => {
      questions.push(question.en);
      return preset;
    },
    readAll: async () => {
      throw new Error('a keyboard was read as standard input');
    },
  };
  const connection = (): Connection => {
    if (transport === undefined) throw new Error('this command line was not to connect');
    const { gateway } = options;
    const place =
      gateway === undefined
        ? ({ kind: 'direct', address: 'test' } as const)
        : ({ kind: 'running', address: gateway } as const);
    return { ...place, transport, client: createClient(transport), close: async () => {} };
  };
  const exitCode = await runCommandLine({
    argv,
    environment: { LANG: 'en_US.UTF-8', NO_COLOR: '1', ...options.environment },
    stdin,
    stdout,
    stderr,
    clock: systemClock,
    stop: () => options.stop ?? new AbortController().signal,
    ...(options.connects === true ? {} : { connect: async () => connection() }),
    ...(terminal === undefined ? {} : { terminal }),
  });
  if (argv.includes('--json') && stdout.text !== '') await expectDeclaredJson(argv, stdout.text);
  return {
    exitCode,
    stdout: stdout.text,
    stderr: stderr.text,
    questions,
    json: <T>() => JSON.parse(stdout.text) as T,
    failure: () => (JSON.parse(stderr.text) as { error: { code: string; message: string } }).error,
  };
}
