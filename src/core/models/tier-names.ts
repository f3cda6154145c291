/** What vendors call the tier, speed and place that cost what the price list says. */
const usualTiers: ReadonlySet<string> = new Set([
  'auto',
  'default',
  'global',
  'not_available',
  'on_demand',
  'standard',
  'unspecified',
]);

/** Log rows keep them: anything else is no tier. */
const tierName = /^[a-z][a-z0-9_-]{1,39}$/;

/** The tier as prices name it; undefined: the usual one, or none (docs/rules/pricing.md#price-tiers). */
export function chargedTier(named: string): string | undefined {
  // Google's longer names of them.
  const short = named.toLowerCase().replace(/^(?:on_demand|service_tier)_/, '');
  return tierName.test(short) && !usualTiers.has(short) ? short : undefined;
}
