/**
 * Addresses of an account's models (docs/rules/providers.md#cloudflare). `other` is the account's
 * id.
 */
import type { Call } from '../../canonical/provider.ts';

/** Bases are also found written with the version under them, as documents print it. */
function accountRoot({ baseUrl, other }: Call): string {
  return `${baseUrl.replace(/\/client\/v4$/, '')}/client/v4/accounts/${encodeURIComponent(other.trim())}/ai`;
}

const paths = {
  chat: '/v1/chat/completions',
  embedding: '/v1/embeddings',
  responses: '/v1/responses',
  models: '/models/search?per_page=100',
} as const;

export type CloudflareTask = keyof typeof paths;

export function taskAddress(task: CloudflareTask, call: Call): string {
  return accountRoot(call) + paths[task];
}

/** A model's own interface. Its name has `@` and slashes, which stay as they are. */
export function runAddress(call: Call): string {
  const name = call.model.split('/').map(encodeURIComponent).join('/').replaceAll('%40', '@');
  return `${accountRoot(call)}/run/${name}`;
}
