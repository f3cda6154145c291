/**
 * `param_override`: fields set in a channel's requests, and operations on them
 * (docs/rules/channel-rules.md#param-override).
 */
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { bodyModes } from './body-modes.ts';
import { readConditions } from './conditions.ts';
import { headerModes } from './header-modes.ts';
import { isList } from './json-path.ts';
import type { OverrideStep } from './override-step.ts';
import { invalidRule, RuleReader, readRules } from './rule-reader.ts';

/** The error that the caller of a refused request receives. */
interface Refusal {
  readonly message: string;
  readonly status: number;
  readonly type: string;
  readonly code: string;
}

/** A rule refused the request (`return_error`): nothing is sent. */
export class RuleRefusal extends AppError {
  readonly answer: Refusal;
  /** Another channel may be tried. */
  readonly mayRetry: boolean;

  constructor(answer: Refusal, mayRetry: boolean) {
    super('refused_by_rule', { detail: answer.message });
    this.answer = answer;
    this.mayRetry = mayRetry;
  }
}

export interface ParamOverride {
  /** Top-level fields of the body to set; a dot in a name is part of the name. */
  readonly fields: JsonObject;
  /** Applied in order, after the fields. */
  readonly steps: readonly OverrideStep[];
}

function returnError(rule: RuleReader): OverrideStep {
  const value = rule.needed('value');
  const error = new RuleReader(
    typeof value === 'string' ? { message: value } : value,
    rule.at('value'),
  );
  const message = error.neededText('message');
  const status = error.value('status_code') ?? 400;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 400 || status > 599)
    throw invalidRule(error.at('status_code'), 'rule.errorStatus');
  const type = error.text('type') || 'invalid_request_error';
  const code = error.text('code') || 'invalid_request';
  const mayRetry = error.has('skip_retry') && !error.flag('skip_retry');
  return () => {
    throw new RuleRefusal({ message, status, type, code }, mayRetry);
  };
}

const modes: Readonly<Record<string, (rule: RuleReader) => OverrideStep>> = {
  ...bodyModes,
  ...headerModes,
  return_error: returnError,
};

function readOperation(raw: unknown, at: string): OverrideStep {
  const rule = new RuleReader(raw, at);
  const mode = rule.neededText('mode');
  const read = Object.hasOwn(modes, mode) ? modes[mode] : undefined;
  if (read === undefined) throw invalidRule(rule.at('mode'), 'rule.choice');
  const applies = readConditions(rule);
  const step = read(rule);
  return (state) => {
    if (applies((path) => state.valuesFor(path))) step(state);
  };
}

/** Undefined for an empty text. Throws AppError json_object_required, channel_rule_invalid. */
export function readParamOverride(text: string): ParamOverride | undefined {
  const { operations, ...fields } = readRules(text, 'param_override');
  if (operations === undefined)
    return Object.keys(fields).length === 0 ? undefined : { fields, steps: [] };
  const at = 'param_override.operations';
  if (!isList(operations)) throw invalidRule(at, 'rule.shape');
  return { fields, steps: operations.map((raw, index) => readOperation(raw, `${at}.${index}`)) };
}
