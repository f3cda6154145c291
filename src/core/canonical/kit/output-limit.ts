/**
 * What a caller may ask for, within what the model gives: agents ask for up to 128,000 tokens of any model
 * (docs/rules/formats.md#output-limit-cap).
 */
export function capOutput(requested: number | undefined, limit: number | undefined): number | undefined {
  return requested === undefined || limit === undefined ? requested : Math.min(requested, limit);
}
