/** Offered in the channel editor. */
export const cohereModels: readonly string[] = [
  ...[
    'command-a-03-2025',
    'command-r',
    'command-r-plus',
    'command-r-08-2024',
    'command-r-plus-08-2024',
  ],
  ...[
    'c4ai-aya-23-35b',
    'c4ai-aya-23-8b',
    'command-light',
    'command-light-nightly',
    'command',
    'command-nightly',
  ],
  ...['embed-english-v3.0', 'embed-multilingual-v3.0', 'embed-v4.0'],
  ...[
    'rerank-v3.5',
    'rerank-english-v3.0',
    'rerank-multilingual-v3.0',
    'rerank-english-v2.0',
    'rerank-multilingual-v2.0',
  ],
];

/** Models that were there before thinking; all younger ones are taken to know the field. */
export function canThink(model: string): boolean {
  return !/^(?:c4ai-|command$|command-(?:light|nightly|r|a-03-2025|a-vision|a-translate))/.test(
    model,
  );
}
