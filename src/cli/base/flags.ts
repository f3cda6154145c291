/**
 * Flags as data: help, parsing, environment variables, completion and docs derive from one
 * declaration.
 */
import type { Endpoint, InputOf, OutputOf } from '../../core/contract/endpoint.ts';
import type { Text } from './text.ts';
import { UsageError } from './usage-error.ts';

export type FlagKind = 'text' | 'integer' | 'number' | 'switch';

export interface Flag {
  /** Without dashes, kebab-case. */
  readonly name: string;
  /**
   * Also read from the variable `TURNPIKE_` and the name in capitals: for what belongs to the
   * machine or the session. What a command writes or deletes is only typed.
   */
  readonly variable?: true;
  readonly kind: FlagKind;
  /** Placeholder of the value in help: `URL`, `N`. */
  readonly placeholder?: string;
  readonly summary: Text;
  readonly choices?: readonly string[];
  /** Bounds of a number, both allowed. */
  readonly min?: number;
  readonly max?: number;
  readonly required?: boolean;
  /** The flag alone is enough; its text is `true` then. */
  readonly optionalValue?: true;
  /** The API field that it sets. */
  readonly field?: string;
  /** Converts the text to the API value; throws UsageError on invalid input. */
  readonly read?: (text: string) => unknown;
  /** Replaces the text before the command runs, by what the gateway replies. */
  readonly lookUp?: (text: string, call: LookUpCall) => Promise<string>;
}

/** Makes a call of the contract. */
export type LookUpCall = <E extends Endpoint>(call: E, input: InputOf<E>) => Promise<OutputOf<E>>;

export function environmentName(flag: string): string {
  return `TURNPIKE_${flag.toUpperCase().replaceAll('-', '_')}`;
}

/** Its variable; undefined: it has none. */
export function variableOf(flag: Flag): string | undefined {
  return flag.variable === true ? environmentName(flag.name) : undefined;
}

/** The flags, of which these are required. */
export function requiring(flags: readonly Flag[], ...names: readonly string[]): readonly Flag[] {
  return flags.map((flag) => (names.includes(flag.name) ? { ...flag, required: true } : flag));
}

/**
 * Flag values of one run: from the command line, else from the variables of the flags that have one.
 * An empty variable counts as unset.
 */
export class Values {
  readonly #raw: Map<string, string | boolean>;
  readonly #flags: ReadonlyMap<string, Flag>;
  readonly #typed: Readonly<Record<string, unknown>>;

  constructor(
    flags: readonly Flag[],
    given: Readonly<Record<string, unknown>>,
    environment: NodeJS.ProcessEnv,
  ) {
    this.#typed = given;
    this.#flags = new Map(flags.map((flag) => [flag.name, flag]));
    const raw = new Map<string, string | boolean>();
    for (const flag of flags) {
      const variable = variableOf(flag);
      const set = variable === undefined ? undefined : environment[variable];
      const value = given[flag.name] ?? (set || undefined);
      if (typeof value !== 'string' && typeof value !== 'boolean') continue;
      if (
        flag.choices !== undefined &&
        typeof value === 'string' &&
        !flag.choices.includes(value)
      ) {
        const shown =
          given[flag.name] === undefined ? environmentName(flag.name) : `--${flag.name}`;
        throw new UsageError(texts.choice, {
          flag: shown,
          value,
          choices: flag.choices.join(', '),
        });
      }
      raw.set(
        flag.name,
        flag.kind === 'switch' && typeof value === 'string' ? readSwitch(flag.name, value) : value,
      );
    }
    this.#raw = raw;
  }

  /** The value from the command line; undefined if it only comes from a variable. */
  typed(name: string): unknown {
    return this.#typed[name];
  }
  /** The declaration of a flag. */
  flag(name: string): Flag | undefined {
    return this.#flags.get(name);
  }
  has(name: string): boolean {
    return this.#raw.has(name);
  }
  text(name: string): string | undefined {
    const value = this.#raw.get(name);
    return value === undefined ? undefined : String(value);
  }
  on(name: string): boolean {
    return this.#raw.get(name) === true;
  }
  integer(name: string): number | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : readInteger(name, text, this.#flags.get(name));
  }

  /**
   * Looks up what the given flags name. Before that, {@link text} and {@link input} have what was
   * given.
   */
  async lookUp(call: LookUpCall): Promise<void> {
    for (const { name, lookUp } of this.#flags.values()) {
      const text = this.text(name);
      if (lookUp !== undefined && text !== undefined) this.#raw.set(name, await lookUp(text, call));
    }
  }

  /**
   * The API values of all given flags that have a field. Throws UsageError if a required flag is
   * missing.
   */
  input(): Record<string, unknown> {
    this.require(
      [...this.#flags.values()].filter((flag) => flag.required && !this.#raw.has(flag.name)),
    );
    const input: Record<string, unknown> = {};
    for (const flag of this.#flags.values()) {
      const value = this.#raw.get(flag.name);
      if (value !== undefined && flag.field !== undefined)
        input[flag.field] = readValue(flag, value);
    }
    return input;
  }

  /** Throws UsageError that names all of these flags, if there are any. */
  require(missing: readonly Pick<Flag, 'name'>[]): void {
    const flags = missing.map(({ name }) => `--${name}`).join(', ');
    if (missing.length > 0)
      throw new UsageError(missing.length === 1 ? texts.required : texts.allRequired, { flags });
  }
}

function readValue(flag: Flag, value: string | boolean): unknown {
  if (typeof value === 'boolean') return value;
  if (flag.read !== undefined) return flag.read(value);
  if (flag.kind === 'integer') return readInteger(flag.name, value, flag);
  if (flag.kind === 'number') return readNumber(flag.name, value, flag);
  return value;
}

function readSwitch(name: string, text: string): boolean {
  const value = text.toLowerCase();
  if (['1', 'true', 'yes', 'on'].includes(value)) return true;
  if (['0', 'false', 'no', 'off'].includes(value)) return false;
  throw new UsageError(texts.switch, { name: environmentName(name), value: text });
}

type Bounds = Pick<Flag, 'min' | 'max'>;

/** Digits may be grouped with `_`. */
function parseNumber(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text.replaceAll('_', ''));
}

function isWithin(number: number, { min, max }: Bounds): boolean {
  return (
    Number.isFinite(number) &&
    (min === undefined || number >= min) &&
    (max === undefined || number <= max)
  );
}

function readNumber(name: string, text: string, bounds: Bounds): number {
  const number = parseNumber(text);
  if (!isWithin(number, bounds)) throw wrongNumber(texts.number, name, text, bounds);
  return number;
}

/** Throws UsageError that names the value and the bounds. */
export function readInteger(name: string, text: string, bounds: Bounds = {}): number {
  const number = parseNumber(text);
  if (!Number.isSafeInteger(number) || !isWithin(number, bounds))
    throw wrongNumber(texts.integer, name, text, bounds);
  return number;
}

function wrongNumber(kind: Text, flag: string, value: string, { min, max }: Bounds): UsageError {
  const range = min === undefined ? noRange : max === undefined ? texts.atLeast : texts.between;
  const text = { en: kind.en + range.en, zh: kind.zh + range.zh };
  return new UsageError(text, {
    flag,
    value,
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  });
}
const noRange: Text = { en: '', zh: '' };

const texts = {
  choice: { en: '{flag} {value}: choose one of {choices}', zh: '{flag} {value}：可选 {choices}' },
  required: { en: '{flags} is required', zh: '缺少 {flags}' },
  allRequired: { en: '{flags} are required', zh: '缺少 {flags}' },
  number: { en: '--{flag} {value}: use a number', zh: '--{flag} {value}：请使用数字' },
  integer: { en: '--{flag} {value}: use a whole number', zh: '--{flag} {value}：请使用整数' },
  atLeast: { en: ', {min} or more', zh: '，至少 {min}' },
  between: { en: ' from {min} to {max}', zh: '，{min} 到 {max}' },
  switch: { en: '{name}={value}: use true or false', zh: '{name}={value}：请使用 true 或 false' },
} as const;
