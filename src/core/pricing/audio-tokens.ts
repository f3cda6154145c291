/** Tokens that a recording is charged as where nobody told any: 1,000 a minute, begun seconds whole (spec, billing 7). */
export function tokensOfSeconds(seconds: number): number {
  return Math.round((Math.ceil(seconds) / 60) * 1000);
}
