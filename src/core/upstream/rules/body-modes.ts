/**
 * The operations of `param_override` that work on the body
 * (docs/rules/channel-rules.md#param-override-body).
 */
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { type Condition, readConditions } from './conditions.ts';
import { isList, valuesAt } from './json-path.ts';
import type { OverrideStep } from './override-step.ts';
import { invalidRule, RuleReader } from './rule-reader.ts';
import { compilePattern } from './safe-pattern.ts';

/**
 * `prune_objects`: removes objects from a body by their content
 * (docs/rules/channel-rules.md#prune-objects).
 */
type Prune = (value: JsonValue) => JsonValue | undefined;

/**
 * `value` is either the `type` of the objects to remove, or an object with `where` (path → value),
 * `conditions`, `logic` (default `AND`) and `recursive` (default true: at any depth; false: direct
 * children only).
 */
function readPruning(rule: RuleReader): Prune {
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

type ReadStep = (rule: RuleReader) => OverrideStep;

/**
 * Joins texts, extends lists (an added list counts as several items) and merges objects. Other
 * values stay unchanged.
 */
function join(before: JsonValue, added: JsonValue, atEnd: boolean, keepOrigin: boolean): JsonValue {
  if (typeof before === 'string') return atEnd ? before + textOf(added) : textOf(added) + before;
  if (isList(before)) {
    const items = isList(added) ? added : [added];
    return atEnd ? [...before, ...items] : [...items, ...before];
  }
  if (!isObject(before) || !isObject(added)) return before;
  const [first, second] = keepOrigin ? [added, before] : [before, added];
  return { ...(first as JsonObject), ...(second as JsonObject) };
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function joining(atEnd: boolean): ReadStep {
  return (rule) => {
    const path = rule.path('path');
    const added = rule.needed('value');
    const keepOrigin = rule.flag('keep_origin');
    return (state) =>
      state.change(path, (before) =>
        before === undefined ? undefined : join(before, added, atEnd, keepOrigin),
      );
  };
}

/** An operation on a text; `read` reads its other parameters. */
function textual(read: (rule: RuleReader) => (text: string) => string): ReadStep {
  return (rule) => {
    const path = rule.path('path');
    const rewrite = read(rule);
    return (state) =>
      state.change(path, (value) => (typeof value === 'string' ? rewrite(value) : value));
  };
}

function carrying(keepsSource: boolean): ReadStep {
  return (rule) => {
    const from = rule.path('from');
    const to = rule.path('to');
    return (state) => {
      const value = state.valueAt(from);
      if (value === undefined) return;
      if (!keepsSource) state.change(from, () => undefined);
      state.change(to, () => value, true);
    };
  };
}

/**
 * Converts group references from Go syntax (`$1`, `${name}`), which New API uses, to that of
 * JavaScript.
 */
function groupReferences(text: string): string {
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) =>
    /^\d+$/.test(name) ? `$${name}` : `$<${name}>`,
  );
}

export const bodyModes: Readonly<Record<string, ReadStep>> = {
  set: (rule) => {
    const path = rule.path('path');
    const value = rule.needed('value');
    const keepOrigin = rule.flag('keep_origin');
    return (state) =>
      state.change(path, (before) => (keepOrigin && before !== undefined ? before : value), true);
  },
  delete: (rule) => {
    const path = rule.path('path');
    return (state) => state.change(path, () => undefined);
  },
  move: carrying(false),
  copy: carrying(true),
  append: joining(true),
  prepend: joining(false),
  trim_prefix: textual((rule) => {
    const prefix = rule.neededText('value');
    return (text) => (text.startsWith(prefix) ? text.slice(prefix.length) : text);
  }),
  trim_suffix: textual((rule) => {
    const suffix = rule.neededText('value');
    return (text) => (text.endsWith(suffix) ? text.slice(0, -suffix.length) : text);
  }),
  ensure_prefix: textual((rule) => {
    const prefix = rule.neededText('value');
    return (text) => (text.startsWith(prefix) ? text : prefix + text);
  }),
  ensure_suffix: textual((rule) => {
    const suffix = rule.neededText('value');
    return (text) => (text.endsWith(suffix) ? text : text + suffix);
  }),
  trim_space: textual(() => (text) => text.trim()),
  to_lower: textual(() => (text) => text.toLowerCase()),
  to_upper: textual(() => (text) => text.toUpperCase()),
  replace: textual((rule) => {
    const from = rule.neededText('from');
    const to = rule.text('to');
    return (text) => text.replaceAll(from, () => to);
  }),
  regex_replace: textual((rule) => {
    const pattern = compilePattern(rule.neededText('from'));
    if (pattern === undefined) throw invalidRule(rule.at('from'), 'rule.pattern');
    const to = groupReferences(rule.text('to'));
    return (text) => pattern.replaceAll(text, to);
  }),
  prune_objects: (rule) => {
    const path = rule.optionalPath('path');
    const prune = readPruning(rule);
    return (state) =>
      state.change(path, (value) => (value === undefined ? undefined : prune(value)));
  },
};
