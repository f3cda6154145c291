/**
 * Spark's versions: the domain that names the model, the path of the socket
 * (docs/rules/providers.md#spark-versions).
 */
import type { Call } from '../../canonical/provider.ts';

export interface SparkVersion {
  readonly version: string;
  readonly domain: string;
  readonly path: string;
}

const known: readonly (SparkVersion & { readonly name?: string })[] = [
  { version: 'v1.1', domain: 'lite', path: '/v1.1/chat', name: 'spark-lite' },
  { version: 'v2.1', domain: 'generalv2', path: '/v2.1/chat' },
  { version: 'v3.1', domain: 'generalv3', path: '/v3.1/chat', name: 'spark-pro' },
  { version: 'v3.1-128K', domain: 'pro-128k', path: '/chat/pro-128k', name: 'spark-pro-128k' },
  { version: 'v3.5', domain: 'generalv3.5', path: '/v3.5/chat', name: 'spark-max' },
  { version: 'v3.5-32K', domain: 'max-32k', path: '/chat/max-32k', name: 'spark-max-32k' },
  { version: 'v4.0', domain: '4.0Ultra', path: '/v4.0/chat', name: 'spark-4.0-ultra' },
];

function byVersion(version: string): SparkVersion {
  const found = known.find((entry) => entry.version.toLowerCase() === version.toLowerCase());
  if (found !== undefined) return found;
  return { version, domain: `general${version}`, path: `/${encodeURIComponent(version)}/chat` };
}

/** `SparkDesk-v3.5` requests `v3.5`. */
function suffixOf(model: string): string | undefined {
  const [, suffix, ...more] = model.split('-');
  return suffix !== undefined && more.length === 0 && /^v\d/i.test(suffix) ? suffix : undefined;
}

/** The version that a model's own name, or its domain, stands for. */
export function namedVersion(given: string): SparkVersion | undefined {
  const model = given.toLowerCase();
  return known.find(({ name, domain }) => name === model || domain.toLowerCase() === model);
}

/**
 * The model by its own name or domain; else the version of the model's name, by which the request
 * is priced, of the caller's query, of the channel's `other`, `v1.1`.
 */
export function sparkVersion(call: Call): SparkVersion {
  const named = namedVersion(call.model);
  if (named !== undefined) return named;
  const query = new URLSearchParams(call.clientPath.split('?')[1] ?? '').get('api-version');
  return byVersion(suffixOf(call.model) || query || call.other.trim() || 'v1.1');
}
