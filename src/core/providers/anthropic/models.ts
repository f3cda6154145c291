const dated = [
  'claude-sonnet-4-5-20250929',
  'claude-haiku-4-5-20251001',
  'claude-opus-4-5-20251101',
];

/** Offered in the channel editor besides the catalogue's models: dates, and thinking by name. */
export const claudeModels: readonly string[] = [
  ...dated.flatMap((model) => [model, `${model}-thinking`]),
  ...['max', 'high', 'medium', 'low'].map((effort) => `claude-opus-4-6-${effort}`),
];
