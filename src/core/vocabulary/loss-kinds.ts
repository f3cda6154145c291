/** How a site loses money (docs/rules/losses.md). */
export const lossKinds = ['below_cost', 'unknown_cost', 'balance', 'billed_more', 'price'] as const;
export type LossKind = (typeof lossKinds)[number];

/** What is stopped where the margin is too low. */
export const lossStops = ['none', 'channel', 'model'] as const;
