/** Offered in the channel editor besides the catalogue's models. Names carry dates and are withdrawn within a year. */
export const arkModels = [
  ...[
    'deepseek-v3-2-251201',
    'doubao-embedding-large-text-250515',
    'doubao-embedding-vision-250615',
    'doubao-seedream-4-5-251128',
  ],
] as const;
