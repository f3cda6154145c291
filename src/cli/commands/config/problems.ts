/**
 * What is wrong with a configuration file: all of it is found before anything is written, and
 * listed with its places.
 */
import { AppError } from '../../../core/kernel/errors.ts';
import { describeFailure } from '../../base/failure.ts';
import { type Language, localize, type Text, type TextParams } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';

/** Names from the section down: `channels`, `Main`, `base_url`. */
export type Path = readonly string[];

export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface Problem extends Partial<Place> {
  /** With dots between its names; '': the whole file. */
  readonly path: string;
  readonly message: string;
}

export class Problems {
  readonly #language: Language;
  readonly #locate: (path: Path) => Place | undefined;
  readonly #found: Problem[] = [];

  constructor(language: Language, locate: (path: Path) => Place | undefined) {
    this.#language = language;
    this.#locate = locate;
  }

  /** In the order of the file. */
  get list(): readonly Problem[] {
    const placeOf = ({ line = 0, column = 0 }: Problem) => line * 1e6 + column;
    return [...this.#found].sort((a, b) => placeOf(a) - placeOf(b));
  }

  /** Whether there is a problem at this path or below it. */
  has(path: Path): boolean {
    const text = path.join('.');
    return this.#found.some(
      (problem) => problem.path === text || problem.path.startsWith(`${text}.`),
    );
  }

  add(path: Path, text: Text, params: TextParams = {}, place = this.#locate(path)): void {
    this.addMessage(path, localize(this.#language, text, params), place);
  }

  addMessage(path: Path, message: string, place = this.#locate(path)): void {
    this.#found.push({ path: path.join('.'), ...place, message });
  }

  /**
   * Undefined where the work found a problem. Errors that say nothing about the file are thrown.
   */
  attempt<T>(path: Path, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof AppError)) throw error;
      this.addMessage(path, describeFailure(error, this.#language).message);
      return undefined;
    }
  }
}

/** `site.yaml:12:5 channels.Main.base_url: …` */
export function problemLine(file: string, { path, line, column, message }: Problem): string {
  const place = line === undefined ? file : `${file}:${line}:${column}`;
  return path === '' ? `${place}: ${message}` : `${place} ${path}: ${message}`;
}
