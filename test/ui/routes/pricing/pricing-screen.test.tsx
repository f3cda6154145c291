// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forgetUser, storeUser } from '../../../../src/ui/client/session.ts';
import { loadTextPart } from '../../../../src/ui/i18n/index.ts';
import { PricingScreen } from '../../../../src/ui/routes/pricing/index.tsx';
import { onCall, prepareConsole, sent, show } from '../../support/render.tsx';

prepareConsole();
beforeAll(() => loadTextPart('pricing'));

const row = (name: string, fields: object = {}) => ({
  model_name: name,
  quota_type: 0,
  model_ratio: 1.25,
  model_price: 0,
  completion_ratio: 4,
  cache_ratio: 0.5,
  cache_creation_ratio: 1.25,
  image_ratio: 1,
  audio_completion_ratio: 1,
  owner_by: '',
  enable_groups: ['default', 'vip'],
  unpriced: false,
  ...fields,
});
const rows = [
  row('a-vip-model', { enable_groups: ['vip'] }),
  row('dall-e-3', {
    quota_type: 1,
    model_price: 0.04,
    model_ratio: 0,
    completion_ratio: 0,
    cache_ratio: 0,
  }),
  row('gpt-4o'),
  row('unknown', { unpriced: true, model_ratio: 37.5, completion_ratio: 1 }),
];

beforeEach(() => {
  forgetUser();
  // The reply is no envelope: it has the rows under `data` and the groups beside it.
  onCall('GET /api/pricing', () => rows);
});
const flat = {
  group_ratio: { default: 1, vip: 0.8 },
  usable_group: { default: 'Everyone', vip: 'VIP' },
};
const fetched = globalThis.fetch;
const open = async (address = '/pricing') => {
  const stub = globalThis.fetch;
  globalThis.fetch = (async (input, init) => {
    const reply = await stub(input, init);
    if (!String(input).includes('/api/pricing')) return reply;
    return Response.json({ ...((await reply.json()) as object), ...flat });
  }) as typeof fetched;
  show(<PricingScreen />, address);
  await screen.findByText('gpt-4o');
};
const line = (name: string) => screen.getByText(name).closest('tr') as HTMLElement;
const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((entry) => entry.querySelector('[title]')?.getAttribute('title'));

describe('the price list', () => {
  it('shows visitors prices per million of the default group, and how to see their own', async () => {
    await open();
    for (const price of ['$2.50', '$1.25', '$10.00', '×1.25', '×4'])
      within(line('gpt-4o')).getByText(price);
    within(line('dall-e-3')).getByText('$0.04 / request');
    screen.getByRole('link', { name: 'Log in to see the prices of your group' });
  });

  it('has the prices directly beside the names, where a narrow window shows them', async () => {
    await open();
    const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
    expect(heads.slice(0, 3)).toEqual([
      expect.stringContaining('Model'),
      expect.stringContaining('Input'),
      expect.stringContaining('Output'),
    ]);
  });

  it('marks for administrators, and only for them, what is sold below cost or differs from its source', async () => {
    const common = { since: 1, channel: 1, name: 'main' };
    onCall('GET /api/turnpike/losses', () => [
      { ...common, kind: 'price', model: 'gpt-4o', text: 'gpt-4o is $2.50; its source says $3' },
      { ...common, kind: 'below_cost', model: 'gpt-4o', text: 'gpt-4o at main lost $4' },
      { ...common, kind: 'price', model: 'dall-e-3', text: 'dall-e-3 is $0.04' },
      { ...common, kind: 'balance', model: '', text: 'main is empty in 2 days' },
    ]);
    const texts = { username: 'ann', display_name: '', nickname: '', portrait: '' };
    const reader = (role: number) =>
      storeUser({ id: 1, role, status: 1, group: 'default', ...texts });
    reader(1);
    await open();
    expect(sent.some(({ call }) => call.includes('losses'))).toBe(false);
    cleanup();
    reader(10);
    await open();
    const mark = await within(line('gpt-4o')).findByText('Below cost');
    within(line('dall-e-3')).getByText('Differs from its source');
    mark.focus();
    const why = await screen.findByRole('tooltip');
    expect(why.textContent).toContain('lost $4');
    expect(why.textContent).toContain('its source says $3');
  });

  it('says when models end or have ended, with what their vendor recommends', async () => {
    onCall('GET /api/pricing', () => [
      ...rows,
      row('late', { ends: '2999-12-31', successor: 'newer' }),
      row('gone', { ends: '2020-01-31' }),
    ]);
    await open();
    within(line('late')).getByText('Ends on 2999-12-31');
    within(line('gone')).getByText('Ended on 2020-01-31');
    expect(within(line('gpt-4o')).queryByText(/^End/)).toBeNull();
  });

  it('puts what the group cannot call last, with the reason', async () => {
    await open();
    expect(names()).toEqual(['dall-e-3', 'gpt-4o', 'unknown', 'a-vip-model']);
    within(line('a-vip-model')).getByText('Not in this group');
    within(line('unknown')).getByText('No price');
    expect(line('unknown').textContent).not.toContain('$75');
  });

  it('sorts by a price, both ways and not; what has none and what the group cannot call stay last', async () => {
    rows.push(row('cheap', { model_ratio: 0.1 }), row('dear', { model_ratio: 9 }));
    await open();
    const sort = () => fireEvent.click(screen.getByRole('button', { name: 'Input' }));
    sort();
    await waitFor(() =>
      expect(names()).toEqual(['cheap', 'gpt-4o', 'dear', 'dall-e-3', 'unknown', 'a-vip-model']),
    );
    expect(screen.getByRole('columnheader', { name: 'Input' }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
    sort();
    await waitFor(() =>
      expect(names()).toEqual(['dear', 'gpt-4o', 'cheap', 'dall-e-3', 'unknown', 'a-vip-model']),
    );
    sort();
    await waitFor(() =>
      expect(names()).toEqual(['dall-e-3', 'gpt-4o', 'unknown', 'cheap', 'dear', 'a-vip-model']),
    );
    rows.splice(-2);
  });

  it('says at which hours and lengths the price holds, and what thinking, cached audio and images cost', async () => {
    const details = {
      steps: [{ above: 32_000, input: 1.4, output: 2 }],
      tools: {},
      factors: { offpeak: 0.5 },
      text_output_ratio: 0.1,
      thinking_ratio: 2,
      cached_audio_ratio: 0.5,
      cached_image_ratio: 0.2,
      peak_hours: [{ days: [1, 2, 3, 4, 5], from: 60, to: 240 }],
    };
    rows.push(row('deep', { audio_ratio: 4, image_ratio: 3, details }));
    await open();
    const also = within(line('deep')).getByRole('button', { name: /offpeak/ });
    const said = [
      'Mon–Fri 01:00–04:00',
      'over 32k: input $3.50, output $20.00, cache read $1.75, cache write $',
      'text output $1.00',
      'thinking $5.00',
      'cached audio $5.00',
      'cached images $1.50',
    ];
    for (const words of said) expect(also.getAttribute('aria-label')).toContain(words);
    rows.pop();
  });

  it('shows seconds of video and sizes of images with their prices, tools with the group’s ratio', async () => {
    const called = { quota_type: 1, model_price: 0.05 };
    rows.push(
      row('film', { ...called, video_ratios: { '720P': 2 } }),
      row('picture', { ...called, image_factors: { '1024x1792': 2 } }),
      row('seeker', { details: { steps: [], factors: {}, tools: { web_search: 0.01 } } }),
    );
    await open('/pricing?group=vip');
    within(line('film')).getByText('$0.04 / second');
    within(line('film')).getByText('Per second');
    within(line('film')).getByRole('button', { name: '+1: 720P $0.08 / second' });
    within(line('picture')).getByText('$0.04 / request');
    within(line('picture')).getByRole('button', { name: '+1: 1024x1792 $0.08' });
    within(line('seeker')).getByRole('button', { name: '+1: web search $0.008 a call' });
    rows.splice(-3);
  });

  it('says what an image costs of a model that is priced by tokens and may report none', async () => {
    rows.push(row('painter', { model_ratio: 10, image_factors: { '512x512': 0.45 } }));
    await open('/pricing?group=vip');
    // 0.0025 × 10 × 0.8
    const also = '+2: an image without reported tokens $0.02; 512x512 ×0.45';
    within(line('painter')).getByRole('button', { name: also });
    rows.pop();
  });

  it('shows prices of a group that there is to whose own group is no more', async () => {
    const texts = { username: 'ann', display_name: '', nickname: '', portrait: '' };
    storeUser({ id: 1, role: 1, status: 1, group: 'gone', ...texts });
    const before = { ...flat };
    Object.assign(flat, { group_ratio: { vip: 0.8 }, usable_group: { vip: 'VIP' } });
    await open();
    await waitFor(() => within(line('gpt-4o')).getByText('$2.00'));
    within(line('a-vip-model')).getByText('Available');
    Object.assign(flat, before);
  });

  it('reprices for another group', async () => {
    await open();
    fireEvent.click(screen.getByRole('button', { name: /^vip/ }));
    await waitFor(() => within(line('gpt-4o')).getByText('$2.00'));
    within(line('a-vip-model')).getByText('Available');
    within(line('dall-e-3')).getByText('$0.032 / request');
  });

  it('shows ratios, and yuan at the rate of the site', async () => {
    await open('/pricing?view=ratio');
    within(line('gpt-4o')).getByText('×0.5');
    fireEvent.click(screen.getByRole('radio', { name: 'CNY' }));
    await waitFor(() => within(line('gpt-4o')).getByText('¥18.25'));
  });

  it('finds by model and by vendor', async () => {
    await open();
    const search = screen.getByPlaceholderText('Model or vendor');
    fireEvent.change(search, { target: { value: 'openai' } });
    fireEvent.keyDown(search, { key: 'Enter' });
    await waitFor(() => expect(names()).toEqual(['dall-e-3', 'gpt-4o']));
    fireEvent.change(search, { target: { value: 'nothing' } });
    fireEvent.keyDown(search, { key: 'Enter' });
    await screen.findByText('No model matches');
  });
});
