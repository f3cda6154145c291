/** Prices of LiteLLM's deployments in quota of the site (docs/rules/import.md#litellm-prices). */
import { expect, it } from 'vitest';
import type { Deployment } from '../../../../src/core/import/litellm/deployments.ts';
import { carryPrices } from '../../../../src/core/import/litellm/prices.ts';
import type { StoredOption } from '../../../../src/core/storage/storage.ts';

it.each([
  [500_000, 1],
  [1_000_000, 2],
])(
  'two dollars per million tokens at a QuotaPerUnit of %s are a ratio of %s',
  async (unit, ratio) => {
    const params = { input_cost_per_token: 2e-6, output_cost_per_token: 8e-6 };
    const deployment = { name: 'mine', model: 'openai/mine', params, info: {} } as unknown;
    const saved: StoredOption[] = [];
    const options = {
      list: async () => [],
      setMany: async (rows: readonly StoredOption[]) => void saved.push(...rows),
    } as never;
    await carryPrices([deployment as Deployment], new Map(), { options }, unit);
    const valueIn = (key: string) =>
      JSON.parse(saved.find((option) => option.key === key)?.value ?? '{}')['mine'];
    expect([valueIn('ModelRatio'), valueIn('CompletionRatio')]).toEqual([ratio, 4]);
  },
);
