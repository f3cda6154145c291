/**
 * `setting.header_override`: headers that are added to a channel's requests or copied from the
 * caller (docs/rules/channel-rules.md#header-override).
 */
import { isObject, type JsonValue } from '../../kernel/json.ts';
import { isPassableHeader, settableHeader } from './header-names.ts';
import { fillValue, fixedWords, isValueTemplate } from './header-values.ts';
import type { RequestFacts } from './request-facts.ts';
import { invalidRule } from './rule-reader.ts';
import { compilePattern, type SafePattern } from './safe-pattern.ts';

export interface HeaderOverride {
  /** Whether a header of the caller is forwarded in addition to those the request has anyway. */
  passes(name: string): boolean;
  /** Name → value. Headers with a placeholder that has no value are omitted. */
  values(facts: RequestFacts): ReadonlyMap<string, string>;
  /** What the values contain besides placeholders. It may be secret. */
  readonly words: readonly string[];
}

const patternKey = /^re(?:gex)?:(.*)$/s;

/**
 * Reads `{"X-Name": "value", "*": true, "re:^x-trace-": true}`. Throws AppError
 * channel_rule_invalid.
 */
export function readHeaderOverride(
  raw: JsonValue | undefined,
  at: string,
): HeaderOverride | undefined {
  if (raw === undefined || raw === null) return undefined;
  if (!isObject(raw)) throw invalidRule(at, 'rule.shape');
  let all = false;
  const patterns: SafePattern[] = [];
  const templates: [name: string, template: string][] = [];
  for (const [key, value] of Object.entries(raw)) {
    const source = patternKey.exec(key.trim())?.[1];
    if (key.trim() === '*') all = true;
    else if (source !== undefined) patterns.push(readPattern(source.trim(), `${at}.${key}`));
    else templates.push([readName(key, `${at}.${key}`), readTemplate(value, `${at}.${key}`)]);
  }
  return {
    words: templates.flatMap(([, template]) => fixedWords(template)),
    passes: (name) =>
      isPassableHeader(name) && (all || patterns.some((pattern) => pattern.test(name))),
    values: (facts) =>
      new Map(
        templates.flatMap(([name, template]) => {
          const value = fillValue(template, facts);
          return value === undefined ? [] : [[name, value] as const];
        }),
      ),
  };
}

function readPattern(source: string, at: string): SafePattern {
  const pattern = source === '' ? undefined : compilePattern(source, { ignoreCase: true });
  if (pattern === undefined) throw invalidRule(at, 'rule.pattern');
  return pattern;
}

export function readName(name: string, at: string): string {
  const lower = settableHeader(name);
  if (lower === undefined) throw invalidRule(at, 'rule.header');
  return lower;
}

export function readTemplate(value: unknown, at: string): string {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof text !== 'string' || !isValueTemplate(text)) throw invalidRule(at, 'rule.headerValue');
  return text;
}
