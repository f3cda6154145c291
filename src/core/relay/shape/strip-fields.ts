import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import type { ChannelRules } from '../../upstream/rules/index.ts';
import type { BodyEdits, FieldReader } from '../body/request-body.ts';

/**
 * `speed` is a number for speech and a text for a more expensive tier; `background` is a text for
 * images and true for responses.
 */
function isGuarded(name: string, value: JsonValue | undefined): boolean {
  if (name === 'speed') return typeof value === 'string';
  return name === 'background' ? value === true : value !== undefined;
}

/**
 * A field without one of its members; the field goes with the last. Undefined: it has none such.
 */
function withoutMember(held: JsonValue | undefined, member: string): JsonObject | null | undefined {
  if (!isObject(held) || !Object.hasOwn(held, member)) return undefined;
  const { [member]: _, ...others } = held as JsonObject;
  return Object.keys(others).length === 0 ? null : others;
}

/** Takes out fields that change the cost or identify callers, unless the channel allows them. */
export function stripEdits(rules: ChannelRules, field: FieldReader): BodyEdits {
  const edits: Record<string, JsonValue | undefined> = {};
  for (const name of rules.strips) {
    const [holder = name, member] = name.split('.');
    const value = Object.hasOwn(edits, holder) ? edits[holder] : field(holder);
    if (member === undefined) {
      if (isGuarded(name, value)) edits[name] = undefined;
      continue;
    }
    const left = withoutMember(value, member);
    if (left !== undefined) edits[holder] = left ?? undefined;
  }
  return edits;
}

/** The reasoning effort a body asks for, in any format's field: shown in the log row. */
export function effortIn(field: FieldReader): string | undefined {
  const config = inner(field('generationConfig') ?? field('generation_config'), 'thinkingConfig');
  const given = [
    field('reasoning_effort'),
    inner(field('reasoning'), 'effort'),
    inner(field('output_config'), 'effort'),
    inner(config, 'thinkingLevel'),
  ];
  return given
    .find((word): word is string => typeof word === 'string' && word !== '')
    ?.toLowerCase();
}

function inner(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) ? (value as JsonObject)[name] : undefined;
}
