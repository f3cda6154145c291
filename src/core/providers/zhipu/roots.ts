/** Where Zhipu's interfaces begin (docs/rules/providers.md#plan-words). */
import type { Call } from '../../canonical/provider.ts';

interface Roots {
  /** `/chat/completions` and its sisters come behind it. */
  readonly openAi: string;
  /** `/v1/messages` comes behind it. */
  readonly anthropic: string;
}

/** Words that stand in the place of a base URL. */
const plans: Readonly<Record<string, Roots>> = {
  'glm-coding-plan': {
    openAi: 'https://open.bigmodel.cn/api/coding/paas/v4',
    anthropic: 'https://open.bigmodel.cn/api/anthropic',
  },
  'glm-coding-plan-international': {
    openAi: 'https://api.z.ai/api/coding/paas/v4',
    anthropic: 'https://api.z.ai/api/anthropic',
  },
};

export const zhipuPlans: readonly string[] = Object.keys(plans);

/** A base URL that names the version already, as documents print it, is taken as it is. */
export function zhipuRoots({ baseUrl }: Call): Roots {
  const plan = plans[baseUrl];
  if (plan !== undefined) return plan;
  const bare = baseUrl.replace(/\/api(?:\/coding)?\/paas\/v4$/, '');
  return {
    openAi: bare === baseUrl ? `${baseUrl}/api/paas/v4` : baseUrl,
    anthropic: `${bare}/api/anthropic`,
  };
}
