/** When an operation of `param_override` applies (spec, relay 12). */
import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonValue } from '../../kernel/json.ts';
import { isList, type Path, parsePath } from './json-path.ts';
import { invalidRule, RuleReader } from './rule-reader.ts';

/** Every value at a path, of the body or of what is known about the request. */
export type Lookup = (path: Path) => readonly JsonValue[];
export type Condition = (look: Lookup) => boolean;

const numeric = (compare: (value: number, wanted: number) => boolean) => (value: JsonValue, wanted: JsonValue) =>
  typeof value === 'number' && typeof wanted === 'number' && compare(value, wanted);
const textual = (compare: (value: string, wanted: string) => boolean) => (value: JsonValue, wanted: JsonValue) =>
  isScalar(value) && isScalar(wanted) && compare(String(value), String(wanted));

function isScalar(value: JsonValue): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

const comparisons: Readonly<Record<string, (value: JsonValue, wanted: JsonValue) => boolean>> = {
  full: (value, wanted) => isDeepStrictEqual(value, wanted),
  prefix: textual((value, wanted) => value.startsWith(wanted)),
  suffix: textual((value, wanted) => value.endsWith(wanted)),
  contains: textual((value, wanted) => value.includes(wanted)),
  gt: numeric((value, wanted) => value > wanted),
  gte: numeric((value, wanted) => value >= wanted),
  lt: numeric((value, wanted) => value < wanted),
  lte: numeric((value, wanted) => value <= wanted),
};

function readCondition(raw: JsonValue, at: string): Condition {
  const rule = new RuleReader(raw, at);
  const path = rule.path('path');
  const compare = comparisons[rule.text('mode') || 'full'];
  if (compare === undefined) throw invalidRule(rule.at('mode'), 'rule.choice');
  const wanted = rule.needed('value');
  const inverted = rule.flag('invert');
  const passesWithout = rule.flag('pass_missing_key');
  return (look) => {
    const values = look(path);
    if (values.length === 0) return passesWithout;
    return values.some((value) => compare(value, wanted)) !== inverted;
  };
}

function equals(name: string, wanted: JsonValue, at: string): Condition {
  const path = parsePath(name);
  if (path === undefined) throw invalidRule(`${at}.${name}`, 'rule.path');
  return (look) => look(path).some((value) => isDeepStrictEqual(value, wanted));
}

/** A list of conditions, or an object path → wanted value. */
function readList(raw: JsonValue | undefined, at: string): readonly Condition[] {
  if (raw === undefined || raw === null) return [];
  if (isList(raw)) return raw.map((entry, index) => readCondition(entry, `${at}.${index}`));
  if (isObject(raw)) return Object.entries(raw).map(([name, wanted]) => equals(name, wanted as JsonValue, at));
  throw invalidRule(at, 'rule.shape');
}

/**
 * Reads `conditions` and `logic` of an operation (any of several unless `AND`), and where the operation takes it `where`
 * (all of several unless `OR`). No condition at all: always.
 */
export function readConditions(rule: RuleReader, names: readonly string[] = ['conditions'], otherwise = 'OR'): Condition {
  const logic = (rule.text('logic') || otherwise).toUpperCase();
  if (logic !== 'AND' && logic !== 'OR') throw invalidRule(rule.at('logic'), 'rule.choice');
  const list = names.flatMap((name) => readList(rule.value(name), rule.at(name)));
  if (list.length === 0) return () => true;
  return logic === 'AND' ? (look) => list.every((one) => one(look)) : (look) => list.some((one) => one(look));
}
