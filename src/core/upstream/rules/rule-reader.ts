/**
 * Reads an administrator's rules for a channel. Every error names the path of the invalid field.
 */
import { AppError } from '../../kernel/errors.ts';
import {
  hasPrototypeEntry,
  isObject,
  type JsonObject,
  type JsonValue,
  parseObject,
} from '../../kernel/json.ts';
import { type Path, parsePath } from './json-path.ts';

/** `reason` is an i18n key; `field` is a path like `param_override.operations.2.mode`. */
export function invalidRule(field: string, reason: string): AppError {
  return new AppError('channel_rule_invalid', { field, reason });
}

/**
 * The JSON object in a text, empty for an empty text. Throws AppError json_object_required,
 * channel_rule_invalid.
 */
export function readRules(text: string, field: string): JsonObject {
  if (text.trim() === '') return {};
  const parsed = parseObject(text);
  if (parsed === undefined) throw new AppError('json_object_required', { field });
  if (hasPrototypeEntry(parsed)) throw invalidRule(field, 'rule.ownName');
  return parsed as JsonObject;
}

/** Runs `read`; invalid rules, which can only come from an import, count as `otherwise`. */
export function readOr<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError) return otherwise;
    throw error;
  }
}

export class RuleReader {
  readonly #fields: JsonObject;
  readonly #at: string;

  /** Throws AppError channel_rule_invalid when `value` is not an object. */
  constructor(value: unknown, at: string) {
    if (!isObject(value)) throw invalidRule(at, 'rule.shape');
    this.#fields = value as JsonObject;
    this.#at = at;
  }

  /** The path of a field of this object. */
  at(name: string): string {
    return `${this.#at}.${name}`;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#fields, name) && this.#fields[name] !== null;
  }

  /** Undefined when absent; null is a value. */
  value(name: string): JsonValue | undefined {
    return Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
  }

  needed(name: string): JsonValue {
    const value = this.value(name);
    if (value === undefined) throw invalidRule(this.at(name), 'rule.missing');
    return value;
  }

  flag(name: string): boolean {
    const value = this.value(name) ?? false;
    if (typeof value !== 'boolean') throw invalidRule(this.at(name), 'rule.boolean');
    return value;
  }

  /** '' when absent. */
  text(name: string): string {
    const value = this.value(name) ?? '';
    if (typeof value !== 'string') throw invalidRule(this.at(name), 'rule.text');
    return value;
  }

  neededText(name: string): string {
    const text = this.text(name);
    if (text === '') throw invalidRule(this.at(name), 'rule.missing');
    return text;
  }

  path(name: string): Path {
    return this.#path(name, this.neededText(name));
  }

  /** The whole body when absent. */
  optionalPath(name: string): Path {
    const text = this.text(name);
    return text === '' ? [] : this.#path(name, text);
  }

  #path(name: string, text: string): Path {
    const path = parsePath(text);
    if (path === undefined) throw invalidRule(this.at(name), 'rule.path');
    return path;
  }
}
