// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import '../../../../src/ui/form/option-problem.ts';
import { PriceSources } from '../../../../src/ui/routes/setting/prices/price-sources.tsx';
import { onCall, prepareConsole, sent, show } from '../../support/render.tsx';

prepareConsole();

it('shows what a source would change, and saves only what was chosen', async () => {
  const model = (name: string, input: number) => ({
    model: name,
    version: `v-${name}`,
    requests: 2,
    paid: 500_000,
    would_pay: 1_000_000,
    changes: [{ kind: 'cache_read', site: 1.25, source: input }],
  });
  onCall('POST /api/turnpike/prices/preview', () => ({
    found: 3,
    models: [model('one', 2.5), model('two', 3)],
    below_cost: [
      { model: 'one', channel: 7, name: 'main', kind: 'cache_read', price: 2.5, cost: 3 },
      { model: 'two', channel: 7, name: 'main', kind: 'cache_read', price: 3, cost: 4 },
    ],
    skipped: [{ model: 'three', reason: 'request' }],
    users: [{ user_id: 2, username: 'ann', requests: 2, paid: 500_000, would_pay: 1_000_000 }],
    partial: true,
  }));
  onCall('POST /api/turnpike/prices/apply', () => null);
  onCall('GET /api/option/', () => []);
  show(<PriceSources />);
  const source = await screen.findByRole('combobox', { name: 'Sources' });
  fireEvent.change(source, { target: { value: ' litellm ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Compare' }));
  const row = await screen.findByRole('row', { name: /one/ });
  expect(row.textContent).toContain('cache read: $1.25 → $2.50');
  expect(row.textContent).toContain('$1.000000$2.000000');
  expect(screen.getByRole('list', { name: 'Who would have paid what' }).textContent).toBe(
    'ann: $1.000000 → $2.000000',
  );
  const unread = screen.getByRole('list', { name: 'The source has prices that cannot be read' });
  expect(unread.textContent).toBe('three: it depends on the request or the hour');
  const save = screen.getByRole('button', { name: 'Save the prices of 0 models' });
  expect(save.hasAttribute('disabled')).toBe(true);
  fireEvent.click(within(row).getByRole('checkbox', { name: 'one' }));
  fireEvent.click(screen.getByRole('button', { name: 'Save the prices of 1 models' }));
  // What would be below its cost is asked about first, and only of what was chosen.
  const question = await screen.findByRole('alertdialog');
  expect(question.textContent).toContain('one, cache read: 2.5, cost 3 at channel #7');
  expect(question.textContent).not.toContain('two');
  expect(sent).not.toContainEqual(
    expect.objectContaining({ call: 'POST /api/turnpike/prices/apply' }),
  );
  fireEvent.click(within(question).getByRole('button', { name: 'Save all the same' }));
  await waitFor(() =>
    expect(sent).toContainEqual({
      call: 'POST /api/turnpike/prices/apply',
      body: {
        source: 'litellm',
        margin: 1,
        follow: 'no',
        below_cost: true,
        models: [{ model: 'one', version: 'v-one' }],
      },
    }),
  );
});

it('takes a margin as it is typed, and compares nothing without one', async () => {
  onCall('POST /api/turnpike/prices/preview', () => ({
    found: 0,
    models: [],
    below_cost: [],
    skipped: [],
    users: [],
    partial: false,
  }));
  show(<PriceSources />);
  const field = await screen.findByRole<HTMLInputElement>('textbox');
  const compare = screen.getByRole('button', { name: 'Compare' });
  for (const [text, isMargin] of [
    ['', false],
    ['0', false],
    ['0.', false],
    ['0.8', true],
    ['2000', false],
    ['', false],
    ['0.85', true],
  ] as const) {
    fireEvent.change(field, { target: { value: text === '' ? '' : `× ${text}` } });
    expect(field.value).toBe(text === '' ? '' : `× ${text}`);
    expect(compare.hasAttribute('disabled')).toBe(!isMargin);
  }
  fireEvent.click(compare);
  await waitFor(() =>
    expect(sent).toContainEqual({
      call: 'POST /api/turnpike/prices/preview',
      body: { source: 'catalogue', margin: 0.85 },
    }),
  );
});
