/** What an administrator wrote about a channel's requests, checked on save and read once (spec, relay 8 and 12). */
import { type ChannelSetting, checkChannelSetting, readChannelSetting } from './channel-setting.ts';
import { readModelMapping } from './model-mapping.ts';
import { type ParamOverride, readParamOverride } from './param-override.ts';
import { readOr } from './rule-reader.ts';
import { checkStatusCodeMapping, readStatusCodeMapping } from './status-code-mapping.ts';

interface RuleTexts {
  readonly modelMapping: string;
  readonly statusCodeMapping: string;
  readonly setting: string;
  readonly paramOverride: string;
}

export interface ChannelRules extends ChannelSetting {
  readonly statusCodeMapping: ReadonlyMap<number, number>;
  readonly paramOverride: ParamOverride | undefined;
}

const checks: Readonly<Record<keyof RuleTexts, (text: string) => unknown>> = {
  modelMapping: readModelMapping,
  statusCodeMapping: checkStatusCodeMapping,
  setting: checkChannelSetting,
  paramOverride: readParamOverride,
};

/** Throws AppError json_object_required, channel_rule_invalid, model_mapping_cycle. */
export function checkChannelRules(texts: Partial<RuleTexts>): void {
  for (const name of Object.keys(checks) as (keyof RuleTexts)[]) checks[name](texts[name] ?? '');
}

/** Rules as requests need them. What was refused on save can only have come by an import: it counts as absent. */
export function readChannelRules(texts: Omit<RuleTexts, 'modelMapping'>): ChannelRules {
  return {
    ...readChannelSetting(texts.setting),
    statusCodeMapping: readStatusCodeMapping(texts.statusCodeMapping),
    paramOverride: readOr(() => readParamOverride(texts.paramOverride), undefined),
  };
}
