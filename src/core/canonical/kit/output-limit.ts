/**
 * Caps the requested output limit at the model's: agents request up to 128,000 tokens of any model
 * (docs/rules/formats.md#output-limit-cap).
 */
export function capOutput(
  requested: number | undefined,
  limit: number | undefined,
): number | undefined {
  return requested === undefined || limit === undefined ? requested : Math.min(requested, limit);
}
