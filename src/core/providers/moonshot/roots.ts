/** Where Moonshot's interfaces begin (docs/rules/providers.md#plan-words). */
import { bareBase } from '../../canonical/kit/request-target.ts';
import type { Call } from '../../canonical/provider.ts';

interface Roots {
  /** `/chat/completions` and its sisters come behind it. */
  readonly openAi: string;
  /** `/v1/messages` comes behind it. */
  readonly anthropic: string;
}

const codingRoot = 'https://api.kimi.com/coding';

/** Words that stand in the place of a base URL. */
const plans: Readonly<Record<string, string>> = { 'kimi-coding-plan': codingRoot };

export const moonshotPlans: readonly string[] = Object.keys(plans);

/** The coding plan has Anthropic's interface at its root, the platform below `/anthropic`. */
export function moonshotRoots({ baseUrl }: Call): Roots {
  const bare = bareBase(plans[baseUrl] ?? baseUrl).replace(/\/anthropic$/, '');
  return { openAi: `${bare}/v1`, anthropic: bare.endsWith('/coding') ? bare : `${bare}/anthropic` };
}
