/** Where Volcano Ark's interfaces begin (docs/rules/providers.md#plan-words). */
import type { Call } from '../../canonical/provider.ts';

interface Roots {
  /** The server without any of its interfaces. */
  readonly host: string;
  /** `/chat/completions` and its sisters come behind it. */
  readonly openAi: string;
  /** `/v1/messages` comes behind it; undefined where there is none. */
  readonly anthropic?: string;
}

/** Words that stand in the place of a base URL. */
const plans: Readonly<Record<string, string>> = {
  'doubao-coding-plan': 'https://ark.cn-beijing.volces.com/api/coding',
};

export const arkPlans: readonly string[] = Object.keys(plans);

/** A base URL that names the interface already, as documents print it, is taken as it is. */
export function arkRoots({ baseUrl }: Call): Roots {
  const base = (plans[baseUrl] ?? baseUrl).replace(/\/v3$/, '');
  const host = base.replace(/\/api(?:\/coding)?$/, '');
  if (base.endsWith('/api/coding')) return { host, openAi: `${base}/v3`, anthropic: base };
  return { host, openAi: `${host}/api/v3` };
}
