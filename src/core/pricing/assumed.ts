/**
 * $75 per 1M tokens: the price of an unpriced model where that is accepted
 * (docs/rules/pricing.md#unpriced-models).
 */
export const assumedModelRatio = 37.5;
