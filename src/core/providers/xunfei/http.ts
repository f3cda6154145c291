/** Spark over HTTP, for channels whose key is an APIPassword (spec, providers-china 5.7). */
import { openaiCompatible } from '../openai-compatible/index.ts';
import { readSparkFailure } from './failure.ts';
import { sparkModels } from './models.ts';
import { sparkVersion } from './versions.ts';

/** Replies are always read and written anew: their errors have a shape of their own behind status 200. */
export const sparkHttp = openaiCompatible({
  slug: 'xunfei-http',
  channelTypes: [18],
  defaultBaseUrl: 'https://spark-api-open.xf-yun.com',
  keyFormat: { example: 'APIPassword' },
  models: sparkModels,
  without: ['completion', 'embedding', 'models'],
  edit: (_field, _model, call) => ({ model: sparkVersion(call).domain, edits: {} }),
  mustTranslate: () => true,
  streamOptions: false,
  developerRole: false,
  readFailure: readSparkFailure,
});
