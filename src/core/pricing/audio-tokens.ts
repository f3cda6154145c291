/** Tokens of a minute of audio, where the catalogue says nothing of the model. */
const usualTokens = 1000;

/**
 * Tokens charged for audio whose usage the upstream did not report, after rounding up to whole
 * seconds (docs/rules/pricing.md#audio-seconds).
 */
export function tokensOfSeconds(seconds: number, perMinute = usualTokens): number {
  return Math.round((Math.ceil(seconds) / 60) * perMinute);
}
