/**
 * The operations of `param_override` that work on headers
 * (docs/rules/channel-rules.md#param-override-headers).
 */
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { isPassableHeader } from './header-names.ts';
import { readName, readTemplate } from './header-override.ts';
import { fillValue } from './header-values.ts';
import { isList, parsePath } from './json-path.ts';
import type { OverrideState, OverrideStep } from './override-step.ts';
import { invalidRule, type RuleReader } from './rule-reader.ts';

type ReadStep = (rule: RuleReader) => OverrideStep;

function nameIn(rule: RuleReader, field: string): string {
  return readName(rule.neededText(field), rule.at(field));
}

function carrying(keepsSource: boolean): ReadStep {
  return (rule) => {
    const from = nameIn(rule, 'from');
    const to = nameIn(rule, 'to');
    const keepOrigin = rule.flag('keep_origin');
    return (state) => {
      const value = state.header(from);
      if (value === undefined) return;
      if (!keepOrigin || !isSet(state, to)) state.headers.set(to, value);
      if (!keepsSource) state.headers.set(from, null);
    };
  };
}

function isSet(state: OverrideState, name: string): boolean {
  return (state.headers.get(name) ?? null) !== null;
}

/**
 * Rewrites a header that is a comma list: `{"old": "new", "gone": null, "*": …, "$append": […],
 * "$keep_only_declared": true}`.
 */
function rewriteTokens(header: string, rules: JsonObject): string {
  const { $append: appended, $keep_only_declared: onlyDeclared, '*': rest, ...declared } = rules;
  const rewritten = header
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '')
    .flatMap((token) => {
      if (Object.hasOwn(declared, token)) return tokensOf(declared[token] ?? null);
      if (rest !== undefined) return tokensOf(rest);
      return onlyDeclared === true ? [] : [token];
    });
  return [...new Set([...rewritten, ...tokensOf(appended ?? null)])].join(',');
}

function tokensOf(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return isList(value) ? value.flatMap(tokensOf) : [];
}

function setHeader(rule: RuleReader): OverrideStep {
  const name = nameIn(rule, 'path');
  const keepOrigin = rule.flag('keep_origin');
  const value = rule.needed('value');
  if (isObject(value)) {
    return (state) => {
      if (keepOrigin && isSet(state, name)) return;
      const text = rewriteTokens(state.header(name) ?? '', value as JsonObject);
      state.headers.set(name, text === '' ? null : text);
    };
  }
  const template = readTemplate(value, rule.at('value'));
  return (state) => {
    if (keepOrigin && isSet(state, name)) return;
    const text = fillValue(template, state.facts);
    if (text !== undefined) state.headers.set(name, text);
  };
}

/** Names as a list or as a comma list. */
function readNames(rule: RuleReader): readonly string[] {
  const value = rule.needed('value');
  const names = typeof value === 'string' ? value.split(',') : isList(value) ? value : [];
  if (names.length === 0) throw invalidRule(rule.at('value'), 'rule.shape');
  return names.map((name) => {
    const lower = typeof name === 'string' ? readName(name, rule.at('value')) : '';
    if (!isPassableHeader(lower) || lower === '')
      throw invalidRule(rule.at('value'), 'rule.header');
    return lower;
  });
}

interface Place {
  get(state: OverrideState): JsonValue | undefined;
  set(state: OverrideState, value: JsonValue): void;
}

/** `header:x-name`, `json:a.b` or `a.b`. */
function readPlace(rule: RuleReader, field: string): Place {
  const text = rule.neededText(field);
  if (text.startsWith('header:')) {
    const name = readName(text.slice('header:'.length), rule.at(field));
    return {
      get: (state) => state.header(name) || undefined,
      set: (state, value) =>
        void state.headers.set(name, typeof value === 'string' ? value : JSON.stringify(value)),
    };
  }
  const path = parsePath(text.startsWith('json:') ? text.slice('json:'.length) : text);
  if (path === undefined) throw invalidRule(rule.at(field), 'rule.path');
  return {
    get: (state) => {
      const value = state.valueAt(path);
      return value === null || value === '' ? undefined : value;
    },
    set: (state, value) => state.change(path, () => value, true),
  };
}

export const headerModes: Readonly<Record<string, ReadStep>> = {
  set_header: setHeader,
  delete_header: (rule) => {
    const name = nameIn(rule, 'path');
    return (state) => void state.headers.set(name, null);
  },
  copy_header: carrying(true),
  move_header: carrying(false),
  pass_headers: (rule) => {
    const names = readNames(rule);
    const keepOrigin = rule.flag('keep_origin');
    return (state) => {
      for (const name of names) {
        const value = state.facts.callerHeaders[name];
        if (value !== undefined && !(keepOrigin && isSet(state, name)))
          state.headers.set(name, value);
      }
    };
  },
  /** Copies a value from one place to the other where only one of them has it. */
  sync_fields: (rule) => {
    const from = readPlace(rule, 'from');
    const to = readPlace(rule, 'to');
    return (state) => {
      const first = from.get(state);
      const second = to.get(state);
      if (first !== undefined && second === undefined) to.set(state, first);
      else if (first === undefined && second !== undefined) from.set(state, second);
    };
  },
};
