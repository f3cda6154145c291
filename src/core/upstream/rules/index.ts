/**
 * The administrator's rules for a channel's requests: checked on save, parsed once per change
 * (docs/rules/channel-rules.md#order-of-rules).
 */
import { isObject, type JsonValue, parseObject } from '../../kernel/json.ts';
import { checkChannelCost } from './channel-cost.ts';
import { type ChannelSetting, checkChannelSetting, readChannelSetting } from './channel-setting.ts';
import { fixedWords } from './header-values.ts';
import { readModelMapping } from './model-mapping.ts';
import { type ParamOverride, readParamOverride } from './param-override.ts';
import { invalidRule, readOr, readRules } from './rule-reader.ts';

/**
 * Error statuses as callers see them, such as `{"429": "503", "400": 500}`. Neither side may be 200
 * (docs/rules/channel-rules.md#status-code-mapping).
 */
const field = 'status_code_mapping';

function readEntry(from: string, to: JsonValue): readonly [number, number] | undefined {
  const status = Number(from);
  const mapped = typeof to === 'string' && /^\d+$/.test(to.trim()) ? Number(to) : to;
  if (!Number.isInteger(status) || status < 300 || status > 599) return undefined;
  if (typeof mapped !== 'number' || !Number.isInteger(mapped) || mapped < 400 || mapped > 599)
    return undefined;
  return [status, mapped];
}

/** Throws AppError json_object_required, channel_rule_invalid. */
function checkStatusCodeMapping(text: string): void {
  for (const [from, to] of Object.entries(readRules(text, field))) {
    if (readEntry(from, to) === undefined)
      throw invalidRule(`${field}.${from}`, 'rule.errorStatus');
  }
}

/** Invalid entries, which are refused on save, count as absent. */
function readStatusCodeMapping(text: string): ReadonlyMap<number, number> {
  const entries = Object.entries(readOr(() => readRules(text, field), {}));
  return new Map(
    entries.map(([from, to]) => readEntry(from, to)).filter((entry) => entry !== undefined),
  );
}

interface RuleTexts {
  readonly modelMapping: string;
  readonly statusCodeMapping: string;
  readonly setting: string;
  readonly paramOverride: string;
  readonly cost: string;
}

export interface ChannelRules extends ChannelSetting {
  readonly statusCodeMapping: ReadonlyMap<number, number>;
  readonly paramOverride: ParamOverride | undefined;
  /**
   * Words of the headers that the rules set. They may be secret, so error messages do not show
   * them.
   */
  readonly headerWords: readonly string[];
}

const checks: Readonly<Record<keyof RuleTexts, (text: string) => unknown>> = {
  modelMapping: readModelMapping,
  statusCodeMapping: checkStatusCodeMapping,
  setting: checkChannelSetting,
  paramOverride: readParamOverride,
  cost: checkChannelCost,
};

/** Throws AppError json_object_required, channel_rule_invalid, model_mapping_cycle. */
export function checkChannelRules(texts: Partial<RuleTexts>): void {
  for (const name of Object.keys(checks) as (keyof RuleTexts)[]) checks[name](texts[name] ?? '');
}

/**
 * The parsed rules. Invalid ones are refused on save and can only come from an import; they count
 * as absent.
 */
export function readChannelRules(texts: Omit<RuleTexts, 'modelMapping' | 'cost'>): ChannelRules {
  const setting = readChannelSetting(texts.setting);
  return {
    ...setting,
    headerWords: [...(setting.headers?.words ?? []), ...wordsOfSetHeaders(texts.paramOverride)],
    statusCodeMapping: readStatusCodeMapping(texts.statusCodeMapping),
    paramOverride: readOr(() => readParamOverride(texts.paramOverride), undefined),
  };
}

function wordsOfSetHeaders(paramOverride: string): readonly string[] {
  const operations = parseObject(paramOverride)?.['operations'];
  if (!Array.isArray(operations)) return [];
  return operations
    .filter(
      (operation) =>
        isObject(operation) &&
        operation['mode'] === 'set_header' &&
        typeof operation['value'] === 'string',
    )
    .flatMap((operation: { readonly value: string }) => fixedWords(operation.value));
}
