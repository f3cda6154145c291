import { booleanOption, decimalOption, jsonOption } from '../../options/define.ts';
import { headersByModel, tokenLimits } from '../../options/rules.ts';

const claude = { panel: 'models.claude' } as const;

/** Options of the site for Claude's models, at whichever vendor they are served. */
export const anthropicOptions = {
  /** Requested model → header → values, joined by commas. */
  'claude.model_headers_settings': jsonOption({ ...claude, schema: headersByModel, default: {} }),
  /** The output limit of requests that name none, by upstream model, then `default`. */
  'claude.default_max_tokens': jsonOption({
    ...claude,
    schema: tokenLimits(8192),
    default: { default: 8192 },
  }),
  /** Names that end in `-thinking` turn thinking on. */
  'claude.thinking_adapter_enabled': booleanOption({ ...claude, default: true }),
  /** The share of max_tokens that thinking may take. */
  'claude.thinking_adapter_budget_tokens_percentage': decimalOption({
    ...claude,
    default: 0.8,
    bounds: { min: 0.1, max: 1 },
  }),
};
