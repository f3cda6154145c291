import { AppError } from './errors.ts';

/** A text that must not reach a log, an error or JSON by accident. Only `reveal()` returns it. */
export class Secret {
  readonly #text: string | undefined;

  /** Undefined: it is stored, but cannot be decrypted. */
  constructor(text: string | undefined) {
    this.#text = text;
  }

  /** Throws AppError key_unreadable. */
  reveal(): string {
    if (this.#text === undefined) throw new AppError('key_unreadable');
    return this.#text;
  }

  get isUnreadable(): boolean {
    return this.#text === undefined;
  }

  get isEmpty(): boolean {
    return this.#text === '';
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]';
  }
}
