// Covers src/ui/routes/setting/prices.
// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadTextPart } from '../../../../src/ui/i18n/index.ts';
import { SettingScreen } from '../../../../src/ui/routes/setting/index.tsx';
import { onCall, prepareConsole, prepareUser, sent, show } from '../../support/render.tsx';

prepareConsole();
prepareUser(100);
beforeAll(() => loadTextPart('prices'));
// Loaded when it comes into sight; here that would count as the time of a test.
beforeAll(() => import('../../../../src/ui/routes/setting/prices/index.tsx'));

const stored = new Map<string, string>();
let below: readonly object[] = [];
const check = 'POST /api/turnpike/losses/below_cost';
const writes = () => sent.filter(({ call }) => !call.startsWith('GET') && call !== check);
/** The tables of the last save. */
const saved = () => {
  const body = writes().at(-1)?.body as { values: { key: string; value: string }[] } | undefined;
  return Object.fromEntries(
    (body?.values ?? []).map(({ key, value }) => [
      key,
      JSON.parse(value) as Record<string, number>,
    ]),
  );
};
const click = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const row = (name: string) => screen.getByText(name).closest('tr') as HTMLElement;
const type = (label: string, text: string) =>
  fireEvent.change(within(screen.getByRole('dialog')).getByLabelText(label), {
    target: { value: text },
  });
const apply = () =>
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Apply' }));
const save = async () => {
  click('Save');
  await waitFor(() => expect(writes()).toHaveLength(1));
};

beforeEach(() => {
  const many = Object.fromEntries(
    Array.from({ length: 2000 }, (_, index) => [`model-${String(index).padStart(4, '0')}`, 1]),
  );
  stored.clear();
  below = [];
  stored.set('ModelRatio', JSON.stringify({ ...many, 'gpt-4o': 1.25, both: 2 }));
  stored.set('ModelPrice', JSON.stringify({ both: 0.1, 'dall-e-3': 0.04 }));
  stored.set('CompletionRatio', JSON.stringify({ 'gpt-4o': 4 }));
  for (const key of [
    'CacheRatio',
    'CreateCacheRatio',
    'ImageRatio',
    'AudioRatio',
    'AudioCompletionRatio',
  ])
    stored.set(key, '{}');
  onCall('GET /api/option/', () => [...stored].map(([key, value]) => ({ key, value })));
  onCall('PUT /api/turnpike/option', () => undefined);
  onCall(check, () => below);
  onCall('GET /api/channel/models_enabled', () => ['gpt-4o', 'new-a', 'new-b', 'gpt-4-gizmo-x']);
});
const open = async (address = '/setting') => {
  show(<SettingScreen />, address);
  await screen.findByRole('tab', { name: 'Visual editor' });
};
const search = async (text: string) => {
  const field = screen.getByPlaceholderText('Search models');
  fireEvent.change(field, { target: { value: text } });
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(row(text)).toBeTruthy());
};

describe('a link', () => {
  it('to a price option opens its field, and gives it the focus', async () => {
    await open('/setting?tab=operation#CacheRatio');
    expect(
      screen.getByRole('tab', { name: 'Model ratios (JSON)' }).getAttribute('aria-selected'),
    ).toBe('true');
    const field = document.querySelector('[id="CacheRatio"] textarea');
    await waitFor(() => expect(document.activeElement?.closest('[id="CacheRatio"]')).toBeTruthy());
    expect(field).toBeTruthy();
  });

  it('to the price of a model searches the table for it, and opens its form', async () => {
    await open('/setting?tab=operation&price=gpt-4o#operation.prices');
    await waitFor(() => expect(row('gpt-4o')).toBeTruthy());
    expect(screen.queryByText('model-0000')).toBeNull();
    const dialog = within(await screen.findByRole('dialog', { name: 'gpt-4o' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

describe('the table editor', () => {
  it('shows ten of 2,000 models, and what a model costs', async () => {
    await open();
    await screen.findByText('1–10 of 2,003');
    await search('gpt-4o');
    expect(row('gpt-4o').textContent).toContain('$2.50 / $10.00');
  });

  it('shows the list price beside what is typed, and how far it is above or below', async () => {
    await open();
    await search('gpt-4o');
    click('Edit gpt-4o');
    const dialog = await screen.findByRole('dialog');
    const said = (label: string) =>
      within(dialog).getByLabelText(label).closest('.mantine-TextInput-root')?.textContent;
    expect(said('Model ratio')).toMatch(/List price \$2\.50$/);
    type('Model ratio', '1.5');
    expect(said('Model ratio')).toContain('List price $2.50 (+20%)');
    expect(said('Completion ratio')).toContain('List price $10.00 (+20%)');
    type('Model ratio', '1');
    expect(said('Model ratio')).toContain('List price $2.50 (−20%)');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  });

  it('shows the highest cost among the channels beside what is typed', async () => {
    const costs = { model: 'gpt-4o', name: 'c', kind: 'input', price: 0 };
    below = [
      { ...costs, channel: 3, cost: 2 },
      { ...costs, channel: 4, cost: 3 },
      { ...costs, channel: 3, kind: 'output', cost: 8 },
      { ...costs, channel: 3, model: 'both', cost: 99 },
    ];
    await open();
    await search('gpt-4o');
    click('Edit gpt-4o');
    const dialog = await screen.findByRole('dialog');
    const said = (label: string) =>
      within(dialog).getByLabelText(label).closest('.mantine-TextInput-root')?.textContent;
    await within(dialog).findByText(/Cost up to \$3\.00/);
    expect(said('Model ratio')).toContain('Cost up to $3.00 (−16.7%)');
    expect(said('Completion ratio')).toContain('Cost up to $8.00 (+25%)');
    type('Model ratio', '1.8');
    expect(said('Model ratio')).toContain('Cost up to $3.00 (+20%)');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  });

  it('takes steps and tiers as prices, and keeps what else an entry says', async () => {
    const entry = { steps: [{ above: 1000, input: 2, output: 1.5 }], longCacheWrite: 2 };
    stored.set('ModelPriceDetails', JSON.stringify({ 'gpt-4o': entry, other: {} }));
    await open();
    await search('gpt-4o');
    click('Edit gpt-4o');
    const dialog = within(await screen.findByRole('dialog'));
    // $2.50 and $10 times the factors; cache reads as much more as input.
    const field = (label: string) => dialog.getByLabelText(label) as HTMLInputElement;
    expect([field('Above').value, field('Input').value, field('Output').value]).toEqual([
      '1000',
      '5',
      '15',
    ]);
    expect([field('Cache read').value, field('Cache read').placeholder]).toEqual(['', '5']);
    type('Cache read', '0.5');
    type('Output', '');
    apply();
    await waitFor(() => expect(field('Output').getAttribute('aria-invalid')).toBe('true'));
    type('Output', '20');
    fireEvent.click(dialog.getByRole('button', { name: 'Add step' }));
    const last = (label: string) => dialog.getAllByLabelText(label).at(-1) as HTMLElement;
    fireEvent.change(last('Above'), { target: { value: '500' } });
    fireEvent.change(last('Input'), { target: { value: '3' } });
    fireEvent.change(last('Output'), { target: { value: '10' } });
    apply();
    screen.getByLabelText('Not saved yet');
    await save();
    expect(saved()).toEqual({
      ModelPriceDetails: {
        'gpt-4o': {
          steps: [
            { above: 500, input: 1.2, output: 1 },
            { above: 1000, input: 2, output: 2, cacheRead: 0.2 },
          ],
          longCacheWrite: 2,
        },
        other: {},
      },
    });
  });

  it('steps and tiers that nobody touched stay the catalogue\u2019s', async () => {
    stored.set('ModelPriceDetails', '{}');
    await open();
    await search('gpt-4o');
    click('Edit gpt-4o');
    const dialog = within(await screen.findByRole('dialog'));
    const tiers = dialog
      .getAllByLabelText('Tier')
      .map((field) => (field as HTMLInputElement).value);
    expect(tiers).toContain('batch');
    type('Model ratio', '2');
    apply();
    await save();
    expect(Object.keys(saved())).toEqual(['ModelRatio']);
  });

  it('takes prices, writes ratios, and saves only the tables that changed', async () => {
    await open();
    await search('gpt-4o');
    click('Edit gpt-4o');
    fireEvent.click(await screen.findByRole('radio', { name: 'Prices' }));
    expect(
      (within(screen.getByRole('dialog')).getByLabelText('Output price per 1M') as HTMLInputElement)
        .value,
    ).toBe('10');
    type('Input price per 1M', '3');
    type('Output price per 1M', '15');
    apply();
    screen.getByText(/2 changes/);
    screen.getByLabelText('Not saved yet');
    await save();
    expect(Object.keys(saved())).toEqual(['ModelRatio', 'CompletionRatio']);
    expect(saved()['ModelRatio']).toMatchObject({ 'gpt-4o': 1.5, both: 2, 'model-0000': 1 });
    expect(saved()['CompletionRatio']).toEqual({ 'gpt-4o': 5 });
  });

  it('asks before a price below its cost is saved', async () => {
    below = [{ model: 'gpt-4o', channel: 3, name: 'c', kind: 'input', price: 1, cost: 2 }];
    await open();
    await search('gpt-4o');
    fireEvent.click(within(row('gpt-4o')).getByRole('button', { name: /^Edit/ }));
    type('Model ratio', '0.5');
    apply();
    click('Save');
    const question = await screen.findByRole('alertdialog', { name: '1 prices below their cost' });
    expect(question.textContent).toContain('gpt-4o, input: 1, cost 2 at channel #3');
    fireEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(writes()).toEqual([]);
    const button = screen.getByRole('button', { name: 'Save' });
    await waitFor(() => expect(button.hasAttribute('data-loading')).toBe(false));
    click('Save');
    fireEvent.click(await screen.findByRole('button', { name: 'Save all the same' }));
    await waitFor(() => expect(writes()).toHaveLength(1));
    expect(writes()[0]?.body).toMatchObject({ below_cost: true });
  });

  it('adds a model, refuses a name that is taken, no number and a fixed price of 0', async () => {
    await open();
    click('Add model');
    await screen.findByRole('dialog');
    type('Model', 'gpt-4o');
    type('Model ratio', 'x');
    apply();
    await screen.findByText('Model name already exists');
    screen.getByText('Please enter a number');
    type('Model', 'my-model');
    fireEvent.click(screen.getByRole('radio', { name: 'Per request' }));
    type('Fixed price', '0');
    apply();
    await screen.findByText('Model price cannot be 0');
    type('Fixed price', '0.5');
    apply();
    await save();
    expect(saved()).toEqual({ ModelPrice: { both: 0.1, 'dall-e-3': 0.04, 'my-model': 0.5 } });
  });

  it('marks a model with a fixed price and a ratio; saving it keeps one of them', async () => {
    await open();
    await search('both');
    within(row('both')).getByText('Conflict');
    click('Edit both');
    await screen.findByRole('dialog');
    apply();
    await waitFor(() => expect(within(row('both')).queryByText('Conflict')).toBeNull());
    await save();
    expect(Object.keys(saved())).toEqual(['ModelRatio']);
    expect(saved()['ModelRatio']).not.toHaveProperty('both');
  });

  it('sets several at once and deletes after a question', async () => {
    await open();
    await screen.findByText('1–10 of 2,003');
    await search('model-0000');
    for (const box of screen.getAllByRole('checkbox', { name: /model-0000/ })) fireEvent.click(box);
    click('Set price (1)');
    await screen.findByRole('dialog');
    type('Cache ratio', '0.1');
    apply();
    fireEvent.click(screen.getByRole('button', { name: 'Delete price (1)' }));
    click('Delete 1 price');
    await waitFor(() => expect(screen.queryByText('model-0000')).toBeNull());
    await save();
    expect(Object.keys(saved())).toEqual(['ModelRatio']);
    expect(saved()['ModelRatio']).not.toHaveProperty('model-0000');
  });

  it('says which table is broken and leads to its JSON', async () => {
    stored.set('CacheRatio', '{"gpt-4o":}');
    await open();
    await screen.findByText(/^CacheRatio: not a valid JSON string/);
    click('Open JSON');
    await screen.findByRole('button', { name: 'Reset model ratios' });
  });
});

describe('models without a price', () => {
  it('lists models of channels that no table names and sets all of them', async () => {
    await open('/setting?prices=unset');
    await screen.findByRole('tab', { name: 'Models without a ratio · 3' });
    click('Set all (3)');
    await screen.findByRole('dialog');
    type('Model ratio', '2');
    apply();
    await screen.findByText('Every model has a price');
    await save();
    expect(saved()['ModelRatio']).toMatchObject({
      'new-a': 2,
      'new-b': 2,
      'gpt-4-gizmo-x': 2,
      'gpt-4o': 1.25,
    });
  });

  it('counts a wildcard name as a price', async () => {
    stored.set('ModelPrice', '{"gpt-4-gizmo-*":0.1}');
    await open('/setting?prices=unset');
    await screen.findByRole('tab', { name: 'Models without a ratio · 2' });
  });
});

describe('the reset', () => {
  it('asks first, and drops what was typed over the model ratios', async () => {
    onCall('POST /api/option/rest_model_ratio', () => {
      stored.set('ModelRatio', '{"gpt-4o":1.25}');
    });
    await open('/setting?prices=json');
    await screen.findByRole('button', { name: 'Reset model ratios' });
    click('Reset model ratios');
    expect(writes()).toEqual([]);
    const question = await screen.findByRole('alertdialog');
    fireEvent.click(within(question).getByRole('button', { name: 'Reset model ratios' }));
    await waitFor(() => expect(writes()).toHaveLength(1));
    await screen.findByText('Model ratios reset');
    expect(writes()).toEqual([
      { call: 'POST /api/option/rest_model_ratio', body: { below_cost: false } },
    ]);
    fireEvent.click(screen.getByRole('tab', { name: 'Visual editor' }));
    await screen.findByText('1–3 of 3');
  });
});
