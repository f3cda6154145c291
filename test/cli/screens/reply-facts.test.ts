import { expect, it } from 'vitest';
import { localize } from '../../../src/cli/base/text.ts';
import { replyFacts } from '../../../src/cli/screens/reply-facts.ts';
import type { Host } from '../../../src/cli/screens/view.ts';

const step = {
  channel: 1,
  name: 'c',
  type: 1,
  priority: 0,
  weight: 1,
  ms: 5,
  status: 200,
  reason: 'priority',
} as const;

it('an attempt says what its vendor said: cost, tools, limits', () => {
  const host = {
    localize: (text, params) => localize('en', text, params),
    cells: { money: { cost: (quota: number) => `$${quota / 500_000}` } },
  } as Host;
  const facts = replyFacts(
    {
      ...step,
      stated_cost: 5000,
      hosted_tools: [
        { tool: 'web_search', count: 2 },
        { tool: 'x_search', count: 1 },
      ],
      reported_usage: [{ input_tokens: 9, tier: 'fast' }, { input_tokens: 1 }],
      limits: [{ unit: 'tokens', limit: 80_000, left: 79_000, reset_ms: 700 }],
    },
    host,
  );
  expect(facts.map(([text]) => text)).toEqual([
    'cost stated by the vendor: $0.01',
    'tools run by the vendor: web_search × 2, x_search × 1',
    'usage reported by the vendor: {"input_tokens":9,"tier":"fast"} {"input_tokens":1}',
    'the account may use 79,000 of 80,000 tokens, all again in 1 s',
  ]);
  expect(replyFacts(step, host)).toEqual([]);
});
