/** Offered in the channel editor. Names carry dates and are withdrawn within a year. */
export const arkModels = [
  ...['doubao-seed-2-1-pro-260628', 'doubao-seed-2-0-pro-260215', 'doubao-seed-2-0-lite-260215'],
  ...['doubao-seed-2-0-mini-260215', 'doubao-seed-2-0-code-preview-260215', 'deepseek-v3-2-251201'],
  ...[
    'doubao-embedding-large-text-250515',
    'doubao-embedding-vision-250615',
    'doubao-seedream-4-5-251128',
  ],
] as const;
