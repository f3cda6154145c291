/**
 * `prune_objects`: removes objects from a body by their content
 * (docs/rules/channel-rules.md#prune-objects).
 */
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { type Condition, readConditions } from './conditions.ts';
import { isList, valuesAt } from './json-path.ts';
import { invalidRule, RuleReader } from './rule-reader.ts';

type Prune = (value: JsonValue) => JsonValue | undefined;

/**
 * `value` is either the `type` of the objects to remove, or an object with `where` (path → value),
 * `conditions`, `logic` (default `AND`) and `recursive` (default true: at any depth; false: direct
 * children only).
 */
export function readPruning(rule: RuleReader): Prune {
  const value = rule.needed('value');
  const options = new RuleReader(
    typeof value === 'string' ? { where: { type: value } } : value,
    rule.at('value'),
  );
  const names = ['where', 'conditions', 'type'].filter((name) => options.has(name));
  if (names.length === 0) throw invalidRule(rule.at('value'), 'rule.missing');
  const recursive = options.has('recursive') ? options.flag('recursive') : true;
  const matches = readMatch(options);
  const prune = (node: JsonValue, depth: number): JsonValue | undefined => {
    if (isObject(node) && matches((path) => valuesAt(node as JsonObject, path))) return undefined;
    return depth > 0 && !recursive ? node : pruneChildren(node, (child) => prune(child, depth + 1));
  };
  return (node) => prune(node, 0);
}

function readMatch(options: RuleReader): Condition {
  const type = options.text('type');
  const listed = ['where', 'conditions'].filter((name) => options.has(name));
  const others = listed.length === 0 ? undefined : readConditions(options, listed, 'AND');
  return (look) =>
    (type === '' || look(['type']).includes(type)) && (others === undefined || others(look));
}

function pruneChildren(node: JsonValue, prune: Prune): JsonValue {
  if (isList(node)) return node.map(prune).filter((item) => item !== undefined);
  if (!isObject(node)) return node;
  const kept = Object.entries(node as JsonObject).map(
    ([name, child]) => [name, prune(child)] as const,
  );
  return Object.fromEntries(
    kept.filter((entry): entry is readonly [string, JsonValue] => entry[1] !== undefined),
  );
}
