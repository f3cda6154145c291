/** Offered in the channel editor. */
export const geminiModels: readonly string[] = [
  ...[
    'gemini-1.5-pro',
    'gemini-1.5-flash',
    'gemini-1.5-flash-8b',
    'gemini-1.5-pro-latest',
    'gemini-1.5-flash-latest',
  ],
  ...[
    'gemini-2.0-flash',
    'gemini-2.0-flash-lite-preview',
    'gemini-2.0-flash-exp',
    'gemini-2.0-pro-exp',
  ],
  ...[
    'gemini-2.0-flash-thinking-exp',
    'gemini-exp-1206',
    'gemini-2.5-pro-exp-03-25',
    'gemini-2.5-pro-preview-03-25',
  ],
  ...[
    'gemini-2.5-pro',
    'gemini-2.5-flash',
    'gemini-2.5-flash-lite',
    'gemini-2.5-flash-image',
    'gemini-3-pro-preview',
  ],
  ...[
    'imagen-3.0-generate-002',
    'imagen-4.0-generate-001',
    'imagen-4.0-ultra-generate-001',
    'imagen-4.0-fast-generate-001',
  ],
  ...['gemini-embedding-exp-03-07', 'gemini-embedding-001', 'text-embedding-004', 'embedding-001'],
];
