/**
 * Ratios that hold for families of names. Seed data only: a number in the option always wins (spec, billing 2, faults), and
 * among these the pattern with the most literal characters decides, so no order can hide a rule. `*` stands for any text;
 * case does not matter. Values given as fractions are the shortest decimal text of the double.
 */
export type RatioRule = readonly [pattern: string, ratio: number];

/** Output price over input price (spec, billing 2, "Completion ratio", [B] and [L]). Anything else: 1. */
export const completionRules: readonly RatioRule[] = [
  ['gpt-4*', 2],
  ['gpt-4*-all', 2],
  ['gpt-4-turbo*', 3],
  ['*gpt-4-1106', 3],
  ['*gpt-4-1105', 3],
  ['gpt-4.1*', 4],
  ['gpt-4.5-preview*', 2],
  ['gpt-4o*', 4],
  ['gpt-4o-2024-05-13', 3],
  ['gpt-4o-mini-tts*', 20],
  ['chatgpt-4o-latest', 3],
  ['gpt-5*', 8],
  ['gpt-5.4*', 6],
  ['gpt-5.4-nano*', 6.25],
  ['gpt-3.5*', 4 / 3],
  ['gpt-3.5-turbo', 3],
  ['gpt-3.5*0125', 3],
  ['gpt-3.5*1106', 2],
  ['o1*', 4],
  ['o3*', 4],
  ['o4*', 4],

  ['*claude-instant-1*', 3],
  ['*claude-2*', 3],
  ['*claude-3*', 5],
  ['*claude-sonnet-*', 5],
  ['*claude-opus-*', 5],
  ['*claude-haiku-*', 5],

  ['gemini-*', 4],
  ['gemini-2.5-pro*', 8],
  ['gemini-2.5-flash*', 2.5 / 0.3],
  ['gemini-2.5-flash-preview*', 3.5 / 0.15],
  ['gemini-2.5-flash-preview*-nothinking', 4],
  ['gemini-2.5-flash-lite*', 4],
  ['gemini-robotics-er-1.5*', 2.5 / 0.3],
  ['gemini-3-pro*', 6],
  ['gemini-3-flash*', 6],
  ['gemini-3-pro-image*', 60],

  ['mistral-*', 3],
  ['command*', 4],
  ['command-r', 3],
  ['command-r-plus', 5],
  ['llama2-70b-4096', 1.25],
  ['llama3-8b-8192', 2],
  ['llama3-70b-8192', 0.79 / 0.59],

  ['deepseek-chat', 4],
  ['deepseek-reasoner', 4],
  ['deepseek-v3.2', 1.5],
  ['ERNIE-Speed-*', 2],
  ['ERNIE-Lite-*', 2],
  ['ERNIE-Character*', 2],
  ['ERNIE-Functions*', 2],
  ['qwen3-max*', 5],
  ['qwen-tts', 6.25],
  ['kimi-k2*', 2.5 / 0.6],
  ['kimi-k2.5*', 5],
  ['glm-4.6', 2.2 / 0.6],
  ['glm-4.7', 2.2 / 0.6],
  ['doubao-seed-1.6', 10],
];

/**
 * Price of audio tokens over text tokens (spec, billing 2, "Audio and image ratios"). By pattern, because the family's exact
 * lookup misses the dated realtime names. No rule and no option: audio tokens cost what text costs.
 */
export const audioRules: readonly RatioRule[] = [
  ['gpt-4o*-audio*', 40],
  ['gpt-4o-audio-preview', 16],
  ['gpt-4o-audio-preview-2024-12-17', 16],
  ['gpt-4o-mini-audio*', 10 / 0.15],
  ['gpt-4o*-realtime*', 20],
  ['gpt-4o-realtime-preview', 8],
  ['gpt-4o-realtime-preview-2024-12-17', 8],
  ['gpt-4o-mini-realtime*', 10 / 0.6],
  ['gpt-4o-mini-tts*', 25],
];

/** Price of spoken output over spoken input. */
export const audioCompletionRules: readonly RatioRule[] = [
  ['gpt-4o*-audio*', 2],
  ['gpt-4o*-realtime*', 2],
  ['gpt-4o-mini-tts*', 1],
  ['tts-1*', 0],
];
