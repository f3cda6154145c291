/** When an operation of `param_override` applies (docs/rules/channel-rules.md#rule-conditions). */
import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonValue } from '../../kernel/json.ts';
import { isList, type Path, parsePath } from './json-path.ts';
import { invalidRule, RuleReader } from './rule-reader.ts';

/** Returns every value at a path, of the body or of the request facts. */
export type Lookup = (path: Path) => readonly JsonValue[];
export type Condition = (look: Lookup) => boolean;

const numeric =
  (compare: (value: number, expected: number) => boolean) =>
  (value: JsonValue, expected: JsonValue) =>
    typeof value === 'number' && typeof expected === 'number' && compare(value, expected);
const textual =
  (compare: (value: string, expected: string) => boolean) =>
  (value: JsonValue, expected: JsonValue) =>
    isScalar(value) && isScalar(expected) && compare(String(value), String(expected));

function isScalar(value: JsonValue): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

const comparisons: Readonly<Record<string, (value: JsonValue, expected: JsonValue) => boolean>> = {
  full: (value, expected) => isDeepStrictEqual(value, expected),
  prefix: textual((value, expected) => value.startsWith(expected)),
  suffix: textual((value, expected) => value.endsWith(expected)),
  contains: textual((value, expected) => value.includes(expected)),
  gt: numeric((value, expected) => value > expected),
  gte: numeric((value, expected) => value >= expected),
  lt: numeric((value, expected) => value < expected),
  lte: numeric((value, expected) => value <= expected),
};

function readCondition(raw: JsonValue, at: string): Condition {
  const rule = new RuleReader(raw, at);
  const path = rule.path('path');
  const compare = comparisons[rule.text('mode') || 'full'];
  if (compare === undefined) throw invalidRule(rule.at('mode'), 'rule.choice');
  const expected = rule.needed('value');
  const inverted = rule.flag('invert');
  const passesWithout = rule.flag('pass_missing_key');
  return (look) => {
    const values = look(path);
    if (values.length === 0) return passesWithout;
    return values.some((value) => compare(value, expected)) !== inverted;
  };
}

function equals(name: string, expected: JsonValue, at: string): Condition {
  const path = parsePath(name);
  if (path === undefined) throw invalidRule(`${at}.${name}`, 'rule.path');
  return (look) => look(path).some((value) => isDeepStrictEqual(value, expected));
}

/** A list of conditions, or an object path → expected value. */
function readList(raw: JsonValue | undefined, at: string): readonly Condition[] {
  if (raw === undefined || raw === null) return [];
  if (isList(raw)) return raw.map((entry, index) => readCondition(entry, `${at}.${index}`));
  if (isObject(raw))
    return Object.entries(raw).map(([name, expected]) => equals(name, expected as JsonValue, at));
  throw invalidRule(at, 'rule.shape');
}

/**
 * Reads `conditions` and `logic` of an operation (any condition suffices unless `AND`) and, where
 * the operation supports it, `where` (all must hold unless `OR`). Without conditions the operation
 * always applies.
 */
export function readConditions(
  rule: RuleReader,
  names: readonly string[] = ['conditions'],
  otherwise = 'OR',
): Condition {
  const logic = (rule.text('logic') || otherwise).toUpperCase();
  if (logic !== 'AND' && logic !== 'OR') throw invalidRule(rule.at('logic'), 'rule.choice');
  const list = names.flatMap((name) => readList(rule.value(name), rule.at(name)));
  if (list.length === 0) return () => true;
  return logic === 'AND'
    ? (look) => list.every((one) => one(look))
    : (look) => list.some((one) => one(look));
}
