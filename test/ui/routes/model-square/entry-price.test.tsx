// Covers src/ui/routes/model-square-management/entry-columns.tsx
// @vitest-environment happy-dom
/** What the management of the model square shows of prices. */
import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ManagedModel } from '../../../../src/core/contract/model-square.ts';
import { useEntryColumns } from '../../../../src/ui/routes/model-square-management/entry-columns.tsx';
import { prepareConsole, show } from '../../support/render.tsx';

prepareConsole();

function Price({ entry }: { readonly entry: ManagedModel }) {
  const column = useEntryColumns().find(({ key }) => key === 'price');
  return <div role="note">{column?.render(entry)}</div>;
}

it.each([
  [{}, '$0.05 / request'],
  [{ video_ratios: { '720P': 2 } }, '$0.05 / second'],
])('%j: %s', async (fields, words) => {
  const entry = { unpriced: false, quota_type: 1, model_price: 0.05, model_ratio: 0, ...fields };
  show(<Price entry={entry as unknown as ManagedModel} />);
  await waitFor(() => expect(document.querySelector('[role="note"]')?.textContent).toBe(words));
});
