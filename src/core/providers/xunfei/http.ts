/**
 * Spark over HTTP, for channels whose key is an APIPassword (docs/rules/providers.md#spark-http).
 */

import type { Call } from '../../canonical/provider.ts';
import { openaiCompatible } from '../openai-compatible/index.ts';
import { readSparkFailure } from './failure.ts';
import { sparkModels } from './models.ts';
import { namedVersion, sparkVersion } from './versions.ts';

/**
 * Versions of the names of One API and New API. Names that are in no table are those of newer
 * models.
 */
function modelOf(call: Call): string {
  if (call.model.toLowerCase().startsWith('spark')) return sparkVersion(call).domain;
  return namedVersion(call.model)?.domain ?? call.model;
}

/** Replies are always translated: errors behind status 200 have a form of their own. */
export const sparkHttp = openaiCompatible({
  slug: 'xunfei-http',
  channelTypes: [18],
  defaultBaseUrl: 'https://spark-api-open.xf-yun.com',
  keyFormat: { example: 'APIPassword' },
  models: sparkModels,
  without: ['completion', 'embedding', 'models'],
  edit: (_field, _model, call) => ({ model: modelOf(call), edits: {} }),
  mustTranslate: () => true,
  streamOptions: false,
  developerRole: false,
  readFailure: readSparkFailure,
});
