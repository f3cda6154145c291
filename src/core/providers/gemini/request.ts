/** Addresses and headers of the Gemini API (docs/rules/providers.md#gemini-addresses). */
import { readOption } from '../../canonical/kit/read-option.ts';
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

/**
 * What Google's own interfaces read of any address
 * (https://cloud.google.com/apis/docs/system-parameters; seen 2026-11-30): credentials, other forms
 * of the reply, and `fields`, which leaves out of it what is not named, its usage among that.
 */
const systemParameters: ReadonlySet<string> = new Set([
  'access_token',
  'alt',
  'callback',
  'fields',
  'key',
  'oauth_token',
  'prettyprint',
  'quotauser',
  'upload_protocol',
  'uploadtype',
  'userproject',
]);

/**
 * Action and query of a native caller's path, without the caller's credential and the parameters by
 * which the reply would not be the one that is charged. All of these have a second name with a `$`.
 */
export function nativeTarget(clientPath: string): {
  readonly action: string;
  readonly query: string;
} {
  const [path = '', given = ''] = clientPath.split('?', 2);
  const action = path.slice(path.lastIndexOf(':') + 1);
  const query = [...new URLSearchParams(given)].filter(
    ([name]) => !name.startsWith('$') && !systemParameters.has(name.toLowerCase()),
  );
  if (action === 'streamGenerateContent') query.push(['alt', 'sse']);
  return { action, query: query.length === 0 ? '' : `?${new URLSearchParams(query)}` };
}
