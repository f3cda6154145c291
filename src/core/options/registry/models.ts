import { booleanOption, decimalOption, integerOption, jsonOption } from '../define.ts';
import { headersByModel, textMap, tokenLimits } from '../rules.ts';

const global = { panel: 'models.global' } as const;
const gemini = { panel: 'models.gemini' } as const;
const claude = { panel: 'models.claude' } as const;
const affinity = { panel: 'models.affinity' } as const;

/** How requests are sent (spec, relay 12 and 14). */
export const modelOptions = {
  'global.pass_through_request_enabled': booleanOption({ ...global, default: false }),
  'general_setting.ping_interval_enabled': booleanOption({ ...global, default: false }),
  'general_setting.ping_interval_seconds': integerOption({ ...global, default: 60, bounds: { min: 1 } }),

  /** Conversations keep the channel whose cache holds their prompt (spec, relay 6). */
  'channel_affinity_setting.enabled': booleanOption({ ...affinity, default: true }),
  'channel_affinity_setting.switch_on_success': booleanOption({ ...affinity, default: true }),
  'channel_affinity_setting.max_entries': integerOption({ ...affinity, default: 100_000, bounds: { min: 1, max: 10_000_000 } }),
  'channel_affinity_setting.default_ttl_seconds': integerOption({ ...affinity, default: 3600, bounds: { min: 1 } }),

  'gemini.safety_settings': jsonOption({
    ...gemini,
    schema: textMap,
    default: { default: 'OFF', HARM_CATEGORY_CIVIC_INTEGRITY: 'BLOCK_NONE' },
  }),
  'gemini.version_settings': jsonOption({
    ...gemini,
    schema: textMap,
    default: { default: 'v1beta', 'gemini-1.0-pro': 'v1' },
  }),
  'gemini.thinking_adapter_enabled': booleanOption({ ...gemini, default: false }),
  /** The share of maxOutputTokens that thinking may take. */
  'gemini.thinking_adapter_budget_tokens_percentage': decimalOption({ ...gemini, default: 0.6, bounds: { above: 0, max: 1 } }),

  /** Requested model → header → values, joined by commas. */
  'claude.model_headers_settings': jsonOption({ ...claude, schema: headersByModel, default: {} }),
  'claude.default_max_tokens': jsonOption({ ...claude, schema: tokenLimits(8192), default: { default: 8192 } }),
  'claude.thinking_adapter_enabled': booleanOption({ ...claude, default: true }),
  /** The share of max_tokens that thinking may take. */
  'claude.thinking_adapter_budget_tokens_percentage': decimalOption({ ...claude, default: 0.8, bounds: { min: 0.1, max: 1 } }),
};
