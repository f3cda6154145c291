import { z } from '../kernel/zod.ts';
import type { PanelId } from './panels.ts';
import { addressText, because, plainText } from './rules.ts';
import type { ServerStatus } from './server-status.ts';

/**
 * `public`: visible to visitors (status object, content calls). `admin`: in the settings only.
 * `secret`: never returned.
 */
export type Exposure = 'public' | 'admin' | 'secret';

/** Decides the form field and the text format. */
export type OptionKind = 'boolean' | 'integer' | 'decimal' | 'text' | 'list' | 'json';

/** One stored option, declared once (docs/rules/options.md#one-declaration). */
export interface OptionDefinition<T = unknown> {
  readonly kind: OptionKind;
  /** Validates and normalizes the value parsed from the text. Its messages are rule keys. */
  readonly schema: z.ZodType<T>;
  readonly default: T;
  readonly exposure: Exposure;
  readonly panel: PanelId;
  /** Name in the server status object. */
  readonly status?: keyof ServerStatus;
  /** False: known and stored, but without effect in this release, so no client offers it. */
  readonly built: boolean;
  /** Lists only. */
  readonly separator?: ',' | '\n';
  /** Texts with several lines. */
  readonly multiline?: boolean;
  /** The allowed texts; absent: any. */
  readonly choices?: readonly string[];
  /** Bounds of a number; `above` is exclusive. */
  readonly bounds?: Bounds;
  /** Options that must be set before this one can be enabled or filled in. */
  readonly needs?: readonly string[];
  /** Options that must be set before a choice can be made, by choice. */
  readonly needsFor?: Readonly<Record<string, readonly string[]>>;
}

export interface Bounds {
  readonly min?: number;
  readonly max?: number;
  readonly above?: number;
}

interface Common<T> {
  readonly default: T;
  readonly panel: PanelId;
  readonly exposure?: Exposure;
  readonly status?: keyof ServerStatus;
  readonly built?: boolean;
  readonly needs?: readonly string[];
}

function common<T>({ exposure, built, status, ...rest }: Common<T>) {
  return {
    ...rest,
    ...(status === undefined ? {} : { status }),
    // Fields of the status object are public.
    exposure: exposure ?? (status === undefined ? 'admin' : 'public'),
    built: built ?? true,
  } as const;
}

export function booleanOption(spec: Common<boolean>): OptionDefinition<boolean> {
  return { kind: 'boolean', schema: z.boolean(because('rule.boolean')), ...common(spec) };
}

export function integerOption({
  bounds,
  ...spec
}: Common<number> & { bounds: Bounds }): OptionDefinition<number> {
  return {
    kind: 'integer',
    schema: bounded(z.int(because('rule.integer')), bounds),
    bounds,
    ...common(spec),
  };
}

export function decimalOption({
  bounds,
  ...spec
}: Common<number> & { bounds: Bounds }): OptionDefinition<number> {
  return {
    kind: 'decimal',
    schema: bounded(z.number(because('rule.decimal')), bounds),
    bounds,
    ...common(spec),
  };
}

function bounded(schema: z.ZodNumber, { min, max, above }: Bounds): z.ZodType<number> {
  let checked = schema;
  if (min !== undefined) checked = checked.min(min, because('rule.min'));
  if (max !== undefined) checked = checked.max(max, because('rule.max'));
  if (above !== undefined) checked = checked.gt(above, because('rule.above'));
  return checked;
}

export function textOption({
  schema,
  multiline,
  ...spec
}: Common<string> & { schema?: z.ZodType<string>; multiline?: boolean }): OptionDefinition<string> {
  return {
    kind: 'text',
    schema: schema ?? plainText,
    ...(multiline ? { multiline } : {}),
    ...common(spec),
  };
}

/**
 * An http(s) address or an empty text. `shown`: pages lead to it, as they do to every address in
 * the server status.
 */
export function addressOption({
  strip = true,
  shown = false,
  ...spec
}: Common<string> & { strip?: boolean; shown?: boolean }): OptionDefinition<string> {
  return {
    kind: 'text',
    schema: addressText(strip, shown || spec.status !== undefined),
    ...common(spec),
  };
}

export function secretOption(
  spec: Pick<Common<string>, 'panel' | 'built'> & {
    schema?: z.ZodType<string>;
    multiline?: boolean;
  },
): OptionDefinition<string> {
  return textOption({ default: '', exposure: 'secret', ...spec });
}

export function choiceOption<const C extends readonly [string, ...string[]]>({
  choices,
  needsFor,
  ...spec
}: Common<C[number]> & {
  choices: C;
  needsFor?: Readonly<Partial<Record<C[number], readonly string[]>>>;
}): OptionDefinition<C[number]> {
  const needed =
    needsFor === undefined
      ? {}
      : { needsFor: needsFor as Readonly<Record<string, readonly string[]>> };
  return {
    kind: 'text',
    schema: z.enum(choices, because('rule.choice')),
    choices,
    ...needed,
    ...common(spec),
  };
}

/**
 * Entries are trimmed; empty and repeated ones are dropped. `lowerCase` for lists that ignore case.
 */
export function listOption<T extends string = string>({
  separator,
  lowerCase = false,
  entry,
  ...spec
}: Common<readonly NoInfer<T>[]> & {
  separator: ',' | '\n';
  lowerCase?: boolean;
  entry?: z.ZodType<T>;
}): OptionDefinition<readonly T[]> {
  const tidy = (entries: readonly string[]) => {
    const trimmed = entries.map((text) => (lowerCase ? text.trim().toLowerCase() : text.trim()));
    return [...new Set(trimmed.filter((text) => text !== ''))] as T[];
  };
  const entries = z.array(entry ?? plainText, because('rule.shape'));
  return { kind: 'list', schema: entries.transform(tidy), separator, ...common(spec) };
}

export function jsonOption<T>({
  schema,
  ...spec
}: Common<NoInfer<T>> & { schema: z.ZodType<T> }): OptionDefinition<T> {
  return { kind: 'json', schema, ...common(spec) };
}
