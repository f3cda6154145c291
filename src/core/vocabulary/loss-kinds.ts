/** How a site loses money (docs/rules/losses.md). */
export const lossKinds = ['below_cost', 'unknown_cost', 'balance', 'billed_more', 'price'] as const;
export type LossKind = (typeof lossKinds)[number];

/** What is shown beside channels: how they lose money, and models that cannot be called. */
export const channelMarks = [...lossKinds, 'unpriced'] as const;
export type ChannelMark = (typeof channelMarks)[number];

/** What is stopped where the margin is too low. */
export const lossStops = ['none', 'channel', 'model'] as const;
