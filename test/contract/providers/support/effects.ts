import type { Effects } from '../../../../src/core/canonical/provider.ts';

/**
 * Effects whose GETs answer with these JSON documents, by URL; 404 for all others. `onRequest` is
 * called for each request.
 */
export function effectsOf(
  replies: Readonly<Record<string, unknown>>,
  onRequest: (url: string, headers: Readonly<Record<string, string>>) => void = () => {},
): Effects {
  return {
    fetch: async ({ url, headers }) => {
      onRequest(url, headers);
      const body = replies[url];
      return body === undefined
        ? { status: 404, text: '', headers: {} }
        : { status: 200, text: JSON.stringify(body), headers: {} };
    },
    sleep: async () => undefined,
    now: () => new Date(0),
    cache: { get: () => undefined, set: () => {} },
  };
}
