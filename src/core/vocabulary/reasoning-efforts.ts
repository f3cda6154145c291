/** The common scale of thinking efforts, the least first (docs/rules/formats.md#reasoning-scale). */
export const reasoningEfforts = [
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
] as const;
export type ReasoningEffort = (typeof reasoningEfforts)[number];
