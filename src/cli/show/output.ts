/**
 * Output of commands: results to stdout, notes and failures to stderr
 * (docs/rules/command-line.md#output).
 */
import { EventEmitter, once } from 'node:events';
import { Chalk, type ChalkInstance } from 'chalk';
import { type Language, localize, type Text, type TextParams } from '../base/text.ts';
import { plainText, withoutCommands } from '../kit/lines.ts';
import { paintWith, type Tone } from '../kit/tones.ts';

export interface Sink {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface OutputSettings {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly language: Language;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly environment: NodeJS.ProcessEnv;
  /** Names of the columns of tables; absent: those that fit. */
  readonly columns?: readonly string[];
}

/** Colour only on terminals, unless FORCE_COLOR or NO_COLOR say otherwise. */
function colourFor(sink: Sink, environment: NodeJS.ProcessEnv): ChalkInstance {
  const forced = environment.FORCE_COLOR !== undefined && environment.FORCE_COLOR !== '0';
  const enabled =
    !environment.NO_COLOR && environment.TERM !== 'dumb' && (forced || sink.isTTY === true);
  return new Chalk({ level: enabled ? 1 : 0 });
}

export class Output {
  readonly language: Language;
  readonly json: boolean;
  readonly #settings: OutputSettings;
  readonly #colour: ChalkInstance;
  readonly #noteColour: ChalkInstance;

  constructor(settings: OutputSettings) {
    this.language = settings.language;
    this.json = settings.json;
    this.#settings = settings;
    this.#colour = colourFor(settings.stdout, settings.environment);
    this.#noteColour = colourFor(settings.stderr, settings.environment);
  }

  /** The same output, whose tables have these columns. */
  withColumns(columns: readonly string[]): Output {
    return new Output({ ...this.#settings, columns });
  }
  get columns(): readonly string[] | undefined {
    return this.#settings.columns;
  }

  /** Begins the screen of a terminal anew. */
  clear(): void {
    this.#settings.stdout.write('\u001B[H\u001B[2J\u001B[3J');
  }

  /** Cells of the terminal; without one nothing is cut. */
  get width(): number {
    const { isTTY, columns } = this.#settings.stdout;
    return isTTY === true && columns !== undefined && columns > 0
      ? columns
      : Number.POSITIVE_INFINITY;
  }

  localize(text: Text, params?: TextParams): string {
    return localize(this.language, text, params);
  }
  paint(tone: Tone, text: string): string {
    return paintWith(this.#colour, tone, text);
  }
  /** One line of the result. Names in it cannot command the terminal. */
  line(text: string): void {
    this.#settings.stdout.write(`${withoutCommands(text)}\n`);
  }
  /** A part of a long result, on stdout as it is; resolves when the reader can take more. */
  async write(text: string): Promise<void> {
    const { stdout } = this.#settings;
    if (stdout.write(text) === false && stdout instanceof EventEmitter) await once(stdout, 'drain');
  }
  /** A line on a terminal's stderr that the next one replaces; undefined removes it. */
  progress(text: string | undefined): void {
    const { stderr, quiet } = this.#settings;
    if (stderr.isTTY === true && !quiet) stderr.write(`\r\u001B[2K${text ?? ''}`);
  }
  /** The result for scripts, on stdout. */
  printJson(value: unknown): void {
    this.line(jsonText(value, 2));
  }
  /** Progress and hints, on stderr; `--quiet` drops them. */
  note(text: Text, params?: TextParams, tone: Tone = 'dim'): void {
    if (this.#settings.quiet) return;
    this.#settings.stderr.write(
      `${paintWith(this.#noteColour, tone, withoutControls(this.localize(text, params)))}\n`,
    );
  }
  /** A failure; `--quiet` keeps it. */
  fail(code: string, message: string): void {
    const text = this.json
      ? jsonText({ error: { code, message } })
      : paintWith(this.#noteColour, 'error', withoutControls(message));
    this.#settings.stderr.write(`${text}\n`);
  }
  /** Requested output that belongs on stderr, such as help after a usage error. */
  aside(text: string): void {
    this.#settings.stderr.write(text);
  }
}

/** JSON with what terminals would obey or reorder as escapes, which are the same value. */
export function jsonText(value: unknown, indent?: number): string {
  return (JSON.stringify(value, null, indent) ?? '').replace(
    /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Without control characters, which names and replies of a server may contain; line breaks are
 * kept.
 */
function withoutControls(text: string): string {
  return text.split('\n').map(plainText).join('\n');
}
