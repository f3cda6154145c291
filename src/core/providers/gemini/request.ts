/** Addresses and headers of the Gemini API (docs/rules/providers.md#gemini-addresses). */
import { readOption } from '../../canonical/kit/read-option.ts';
import { clientQuery } from '../../canonical/kit/request-target.ts';
import type { Call } from '../../canonical/provider.ts';
import { geminiOptions } from './options.ts';

export type GeminiAction =
  | 'generateContent'
  | 'streamGenerateContent'
  | 'embedContent'
  | 'batchEmbedContents'
  | 'countTokens'
  | 'predict';

/** The API's root; a base URL that names a version is used as given. */
function versionedBase(call: Call, model: string): string {
  if (/\/v\d+(?:beta\d*|alpha)?$/.test(call.baseUrl)) return call.baseUrl;
  const versions = readOption(call.options, geminiOptions, 'gemini.version_settings');
  // Channels of early versions of One API name the version themselves.
  const own = /^v\d\w*$/.test(call.other) ? call.other : undefined;
  return `${call.baseUrl}/${versions[model] ?? own ?? versions.default ?? 'v1beta'}`;
}

export function geminiAddress(call: Call, model: string, action: GeminiAction): string {
  const stream = action === 'streamGenerateContent' ? '?alt=sse' : '';
  return `${versionedBase(call, model)}/models/${encodeURIComponent(model)}:${action}${stream}`;
}

export function modelsAddress(call: Call, pageToken: string | undefined): string {
  const page = pageToken === undefined ? '' : `&pageToken=${encodeURIComponent(pageToken)}`;
  return `${versionedBase(call, '')}/models?pageSize=1000${page}`;
}

export function geminiHeaders(call: Call): Record<string, string> {
  return { 'content-type': 'application/json', 'x-goog-api-key': call.key.reveal() };
}

/** Action and query of a native caller's path. A stream is always one of events. */
export function nativeTarget(clientPath: string): {
  readonly action: string;
  readonly query: string;
} {
  const [path = ''] = clientPath.split('?', 1);
  const action = path.slice(path.lastIndexOf(':') + 1);
  const query = clientQuery({ clientPath });
  if (action !== 'streamGenerateContent') return { action, query };
  return { action, query: query === '' ? '?alt=sse' : `${query}&alt=sse` };
}
