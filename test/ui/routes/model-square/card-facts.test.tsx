// Covers src/core/pricing/is-free.ts
// Covers src/ui/routes/model-square/model-card.tsx
// @vitest-environment happy-dom
/** Cards of the model square say when a model ends (docs/rules/models.md#ends-shown). */
import { screen, waitFor } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import type { CatalogModel } from '../../../../src/core/contract/model-square.ts';
import { loadTextPart } from '../../../../src/ui/i18n/index.ts';
import { CardFacts } from '../../../../src/ui/routes/model-square/model-card.tsx';
import { PriceLine } from '../../../../src/ui/routes/model-square/price-line.tsx';
import { prepareConsole, show } from '../../support/render.tsx';

prepareConsole();
beforeAll(() => loadTextPart('square'));

const model = { reads: [], writes: [], longest_answer: '' } as unknown as CatalogModel;

it.each([
  [{ ends: '2999-12-31', successor: 'newer' }, 'Ends on 2999-12-31, then newer'],
  [{ ends: '2020-01-31' }, 'Ended on 2020-01-31'],
])('%j: %s', async (end, words) => {
  show(<CardFacts model={{ ...model, ...end }} />);
  expect((await screen.findByText(/^End/)).textContent).toBe(words);
});

it.each([
  [{ web_search: 0 }, 1, /Free/],
  [{ web_search: 0.01 }, 1, /In \$0\.00/],
  // In a group that is free.
  [{ web_search: 0.01 }, 0, /Free/],
])('tools %j in a group of ratio %s: %s', async (tools, ratio, words) => {
  const price = {
    unpriced: false,
    quota_type: 0,
    model_price: 0,
    model_ratio: 0,
    completion_ratio: 1,
    cache_ratio: 1,
    cache_creation_ratio: 1,
    image_ratio: 1,
    audio_completion_ratio: 1,
    details: { steps: [], factors: {}, tools },
  };
  const group = { name: 'default', ratio } as never;
  show(<PriceLine model={{ ...model, ...price }} group={group} />);
  await waitFor(() => expect(document.body.textContent).toMatch(words));
});
