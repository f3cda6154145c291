// Covers src/ui/routes/model-square/model-card.tsx
// @vitest-environment happy-dom
/** Cards of the model square say when a model ends (docs/rules/models.md#ends-shown). */
import { screen } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import type { CatalogModel } from '../../../../src/core/contract/model-square.ts';
import { loadTextPart } from '../../../../src/ui/i18n/index.ts';
import { CardFacts } from '../../../../src/ui/routes/model-square/model-card.tsx';
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
