import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import type { ChannelRules } from '../../upstream/rules/index.ts';
import type { BodyEdits } from '../body/request-body.ts';

/** Looks at a top-level field of the body as it stands. */
export type FieldReader = (name: string) => JsonValue | undefined;

/** How fast a voice speaks is a number, what is dearer is a word; what is behind an image is a word, a response's is not. */
function isGuarded(name: string, value: JsonValue | undefined): boolean {
  if (name === 'speed') return typeof value === 'string';
  return name === 'background' ? value === true : value !== undefined;
}

/** Takes out what changes cost or reveals callers, unless the channel allows it (spec, relay 12). */
export function stripEdits(rules: ChannelRules, field: FieldReader): BodyEdits {
  const edits: Record<string, JsonValue | undefined> = {};
  for (const name of rules.strips) if (isGuarded(name, field(name))) edits[name] = undefined;
  if (!rules.stripsObfuscation) return edits;
  const options = field('stream_options');
  if (isObject(options) && Object.hasOwn(options, 'include_obfuscation')) {
    const { include_obfuscation: _, ...rest } = options as JsonObject;
    edits['stream_options'] = Object.keys(rest).length === 0 ? undefined : rest;
  }
  return edits;
}

/** The effort a body asks for, in any format's words: what the log row tells (spec, relay 12). */
export function effortIn(field: FieldReader): string | undefined {
  const config = inner(field('generationConfig') ?? field('generation_config'), 'thinkingConfig');
  const told = [
    field('reasoning_effort'),
    inner(field('reasoning'), 'effort'),
    inner(field('output_config'), 'effort'),
    inner(config, 'thinkingLevel'),
  ];
  return told.find((word): word is string => typeof word === 'string' && word !== '')?.toLowerCase();
}

function inner(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) ? (value as JsonObject)[name] : undefined;
}
