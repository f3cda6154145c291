import { booleanOption, decimalOption, jsonOption } from '../../options/define.ts';
import { textMap } from '../../options/rules.ts';

const gemini = { panel: 'models.gemini' } as const;

/** Options of the site for Gemini's models, at whichever vendor they are served. */
export const geminiOptions = {
  /** Harm category → threshold; `default` for the others. */
  'gemini.safety_settings': jsonOption({
    ...gemini,
    schema: textMap,
    default: { default: 'OFF', HARM_CATEGORY_CIVIC_INTEGRITY: 'BLOCK_NONE' },
  }),
  /** Model → API version, then `default`. */
  'gemini.version_settings': jsonOption({
    ...gemini,
    schema: textMap,
    default: { default: 'v1beta', 'gemini-1.0-pro': 'v1' },
  }),
  /** Names that end in `-thinking` and the like turn thinking on. */
  'gemini.thinking_adapter_enabled': booleanOption({ ...gemini, default: false }),
  /** The share of maxOutputTokens that thinking may take. */
  'gemini.thinking_adapter_budget_tokens_percentage': decimalOption({
    ...gemini,
    default: 0.6,
    bounds: { above: 0, max: 1 },
  }),
};
