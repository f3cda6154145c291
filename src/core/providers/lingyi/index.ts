/**
 * Type 31, 01.AI (docs/rules/providers.md#plain-resellers): few models of its own are left; the
 * operator enters what it hosts.
 */
import { openaiCompatible } from '../openai-compatible/index.ts';

export const lingyi = openaiCompatible({
  slug: 'lingyi',
  channelTypes: [31],
  defaultBaseUrl: 'https://api.lingyiwanwu.com',
  keyFormat: { example: 'key' },
  models: [
    ...[
      'yi-lightning',
      'yi-vision-v2',
      'yi-large',
      'yi-medium',
      'yi-vision',
      'yi-medium-200k',
      'yi-spark',
    ],
    ...['yi-large-rag', 'yi-large-turbo', 'yi-large-preview', 'yi-large-rag-preview'],
  ],
  streamOptions: false,
  developerRole: false,
});
