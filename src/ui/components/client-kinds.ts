/**
 * The kinds of client that can use the gateway, and the base URL that each expects
 * (docs/rules/console.md#base-url).
 */

export const clientKinds = ['openai', 'anthropic', 'gemini'] as const;
export type ClientKind = (typeof clientKinds)[number];

export const clientNames: Readonly<Record<ClientKind, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
};

/**
 * OpenAI's clients add the path of a call to a base that ends in `/v1`; the others add the version
 * themselves.
 */
export function baseUrlOf(kind: ClientKind, site: string): string {
  const bare = site.replace(/\/+$/, '');
  return kind === 'openai' ? `${bare}/v1` : bare;
}
