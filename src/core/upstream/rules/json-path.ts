/**
 * Paths in a JSON document: `messages.0.content`, `messages.-1.content` (counted from the end),
 * `tools.*.function` (every child), `a\.b` (a dot in a name). Documents are immutable: a change
 * returns a copy.
 */
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';

export type Path = readonly string[];

/**
 * Undefined for a path with an empty step or a query (`#(…)`), which is not part of this syntax.
 */
export function parsePath(text: string): Path | undefined {
  const steps = text
    .split(/(?<!\\)\./)
    .map((step) => step.replaceAll('\\.', '.'))
    .map((step) => (step === '#' ? '*' : step));
  return steps.some((step) => step === '' || step.startsWith('#(')) ? undefined : steps;
}

export function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function indexIn(list: readonly JsonValue[], step: string): number {
  if (!/^-?\d+$/.test(step)) return -1;
  const index = Number(step);
  return index < 0 ? list.length + index : index;
}

/** The children at a step; empty if there is none. */
function childrenAt(value: JsonValue, step: string): readonly JsonValue[] {
  if (isList(value)) {
    if (step === '*') return value;
    const child = value[indexIn(value, step)];
    return child === undefined ? [] : [child];
  }
  if (!isObject(value)) return [];
  const fields = value as JsonObject;
  if (step === '*') return Object.values(fields);
  const child = Object.hasOwn(fields, step) ? fields[step] : undefined;
  return child === undefined ? [] : [child];
}

/** Every value at the path. */
export function valuesAt(tree: JsonValue, path: Path): readonly JsonValue[] {
  return path.reduce<readonly JsonValue[]>(
    (values, step) => values.flatMap((value) => childrenAt(value, step)),
    [tree],
  );
}

/** Maps the old value (undefined: absent) to the new one (undefined: removed). */
export type Change = (value: JsonValue | undefined) => JsonValue | undefined;

/**
 * A copy of the document with every value at the path changed. `create`: missing parents are
 * created.
 */
export function changeAt(tree: JsonValue, path: Path, change: Change, create = false): JsonValue {
  return changed(tree, path, change, create) ?? null;
}

function changed(
  value: JsonValue | undefined,
  path: Path,
  change: Change,
  create: boolean,
): JsonValue | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  const inner: Change = (child) => changed(child, rest, change, create);
  if (isList(value)) return changeList(value, step, inner, create);
  if (isObject(value)) return changeObject(value as JsonObject, step, inner, create);
  if (!create || step === '*' || (value !== undefined && value !== null)) return value;
  return step === '0' ? changeList([], step, inner, true) : changeObject({}, step, inner, true);
}

function changeList(
  list: readonly JsonValue[],
  step: string,
  inner: Change,
  create: boolean,
): JsonValue {
  if (step === '*') return list.map(inner).filter((item) => item !== undefined);
  const index = indexIn(list, step);
  if (index < 0 || index > list.length || (index === list.length && !create)) return list;
  const item = inner(list[index]);
  return item === undefined ? list.toSpliced(index, 1) : list.toSpliced(index, 1, item);
}

function changeObject(fields: JsonObject, step: string, inner: Change, create: boolean): JsonValue {
  const present = Object.hasOwn(fields, step);
  const names = step === '*' ? Object.keys(fields) : present || create ? [step] : [];
  if (names.length === 0) return fields;
  const changes = new Map(
    names.map((name) => [name, inner(Object.hasOwn(fields, name) ? fields[name] : undefined)]),
  );
  const kept = Object.entries({ ...fields, ...Object.fromEntries(changes) });
  return Object.fromEntries(
    kept.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}
