/**
 * Type 22 (docs/rules/providers.md#fastgpt): one application per key, which decides on model and
 * sampling itself.
 */
import { openaiCompatible } from '../openai-compatible/index.ts';
import { detailRewrite } from './detail.ts';
import { readFastGptFailure } from './failure.ts';

/**
 * The base ends in `/api`. The key is sent whole: of an account's key the application's id is part,
 * behind a hyphen.
 */
export const fastgpt = openaiCompatible({
  slug: 'fastgpt',
  channelTypes: [22],
  defaultBaseUrl: null,
  keyFormat: { example: 'fastgpt-…' },
  models: [],
  without: ['completion', 'embedding', 'models'],
  streamOptions: false,
  developerRole: false,
  // Without `detail` callers get the reply only, whatever events come; its usage is not reported.
  // Files by URL (`file_url`) are forwarded only.
  mustTranslate: (fields) =>
    fields.get('detail') !== true && fields.contains?.('"file_url"') !== true,
  readUsage: () => undefined,
  rewrite: detailRewrite,
  readFailure: readFastGptFailure,
});
