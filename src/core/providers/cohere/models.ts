/** Offered in the channel editor besides the catalogue's models. */
export const cohereModels: readonly string[] = [
  ...['command-r', 'command-r-plus'],
  ...[
    'c4ai-aya-23-35b',
    'c4ai-aya-23-8b',
    'command-light',
    'command-light-nightly',
    'command',
    'command-nightly',
  ],
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
