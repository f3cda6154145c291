/**
 * Tokens charged for audio whose usage the upstream did not report: 1,000 per minute, after
 * rounding up to whole seconds (docs/rules/pricing.md#audio-seconds).
 */
export function tokensOfSeconds(seconds: number): number {
  return Math.round((Math.ceil(seconds) / 60) * 1000);
}
