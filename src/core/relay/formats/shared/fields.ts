/**
 * Reads a caller's body: null counts as absent, a wrong type is a 400 that names the field
 * (docs/rules/formats.md#lenient-reading).
 */
import { AppError, type ErrorCode } from '../../../kernel/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../kernel/json.ts';

type InvalidRequest = Extract<
  ErrorCode,
  | 'invalid_text_request'
  | 'invalid_claude_request'
  | 'invalid_embedding_request'
  | 'invalid_image_request'
  | 'invalid_audio_request'
  | 'invalid_request'
>;

export class Fields {
  readonly #object: Readonly<Record<string, unknown>>;
  readonly #code: InvalidRequest;
  /** Where in the body this object is: `messages[2].content[0]`; empty at the top. */
  readonly path: string;

  constructor(object: Readonly<Record<string, unknown>>, code: InvalidRequest, path = '') {
    this.#object = object;
    this.#code = code;
    this.path = path;
  }

  fail(detail: string): never {
    throw new AppError(this.#code, { detail });
  }

  #name(field: string): string {
    return this.path === '' ? field : `${this.path}.${field}`;
  }

  #wrong(field: string, expected: string): never {
    return this.fail(`${this.#name(field)} must be ${expected}`);
  }

  raw(field: string): JsonValue | undefined {
    return (this.#object[field] ?? undefined) as JsonValue | undefined;
  }

  text(field: string): string | undefined {
    const value = this.raw(field);
    return value === undefined || typeof value === 'string'
      ? value
      : this.#wrong(field, 'a string');
  }

  requiredText(field: string): string {
    return this.text(field) ?? this.fail(`${this.#name(field)} is required`);
  }

  number(field: string): number | undefined {
    const value = this.raw(field);
    return value === undefined || typeof value === 'number'
      ? value
      : this.#wrong(field, 'a number');
  }

  /**
   * A whole number from 0 to 2³⁰ − 1, the bound of token limits
   * (docs/rules/relay.md#output-limit-bounds).
   */
  count(field: string): number | undefined {
    const value = this.number(field);
    if (value === undefined || (Number.isInteger(value) && value >= 0 && value < 2 ** 30))
      return value;
    return this.fail(`${this.#name(field)} is invalid`);
  }

  flag(field: string): boolean | undefined {
    const value = this.raw(field);
    return value === undefined || typeof value === 'boolean'
      ? value
      : this.#wrong(field, 'true or false');
  }

  object(field: string): Fields | undefined {
    const value = this.raw(field);
    if (value === undefined) return undefined;
    return isObject(value)
      ? new Fields(value, this.#code, this.#name(field))
      : this.#wrong(field, 'an object');
  }

  objectValue(field: string): JsonObject | undefined {
    const value = this.raw(field);
    if (value === undefined) return undefined;
    return isObject(value) ? (value as JsonObject) : this.#wrong(field, 'an object');
  }

  /** The objects of a list. */
  objects(field: string): Fields[] | undefined {
    const value = this.raw(field);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) return this.#wrong(field, 'a list');
    return value.map((entry: unknown, position) => {
      const name = `${this.#name(field)}[${position}]`;
      return isObject(entry)
        ? new Fields(entry, this.#code, name)
        : this.fail(`${name} must be an object`);
    });
  }

  /** One text or a list of texts. */
  texts(field: string): readonly string[] | undefined {
    const value = this.raw(field);
    if (value === undefined) return undefined;
    if (typeof value === 'string') return [value];
    if (Array.isArray(value) && value.every((entry) => typeof entry === 'string'))
      return value as readonly string[];
    return this.#wrong(field, 'a string or a list of strings');
  }

  /** The object without the fields named. */
  without(known: ReadonlySet<string>): JsonObject {
    const others: Record<string, JsonValue> = {};
    for (const [name, value] of Object.entries(this.#object))
      if (!known.has(name)) others[name] = value as JsonValue;
    return others;
  }

  get value(): JsonObject {
    return this.#object as JsonObject;
  }
}

/** The model's name. Throws AppError('model_required'). */
export function readModel(fields: Fields): string {
  const model = fields.text('model')?.trim();
  if (model === undefined || model === '') throw new AppError('model_required');
  return model;
}
