const thinking = [
  'claude-3-7-sonnet-20250219',
  'claude-sonnet-4-20250514',
  'claude-opus-4-20250514',
  'claude-opus-4-1-20250805',
];
const newer = [
  'claude-sonnet-4-5-20250929',
  'claude-haiku-4-5-20251001',
  'claude-opus-4-5-20251101',
];

/** Offered in the channel editor. */
export const claudeModels: readonly string[] = [
  ...[
    'claude-3-sonnet-20240229',
    'claude-3-opus-20240229',
    'claude-3-haiku-20240307',
    'claude-3-5-haiku-20241022',
  ],
  ...['claude-3-5-sonnet-20240620', 'claude-3-5-sonnet-20241022'],
  ...[...thinking, ...newer].flatMap((model) => [model, `${model}-thinking`]),
  'claude-sonnet-4-6',
  'claude-opus-4-6',
  ...['max', 'high', 'medium', 'low'].map((effort) => `claude-opus-4-6-${effort}`),
];
