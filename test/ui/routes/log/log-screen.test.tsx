// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readLog } from '../../../../src/core/logs/log-view.ts';
import { storeUser } from '../../../../src/ui/client/session.ts';
import { changeLanguage } from '../../../../src/ui/i18n/index.ts';
import { LogScreen } from '../../../../src/ui/routes/log/index.tsx';
import { LogDetails } from '../../../../src/ui/routes/log/log-details.tsx';
import { onCall, prepareConsole, show } from '../../support/render.tsx';

prepareConsole();
// Loaded on demand: compiling them takes longer than a test waits.
beforeAll(() => import('../../../../src/ui/routes/log/log-details.tsx'), 30_000);

const requestId = '20261120120000123000000abcdefgh';
const row = (id: string, model: string) => ({
  id: 1,
  user_id: 2,
  created_at: 1_795_176_000,
  type: 2,
  content: '',
  username: 'ann',
  token_name: 'app',
  model_name: model,
  quota: 10,
  prompt_tokens: 1,
  completion_tokens: 1,
  use_time: 1,
  is_stream: false,
  channel: 0,
  channel_name: '',
  token_id: 3,
  group: 'default',
  ip: '',
  other: '{}',
  request_id: id,
  tags: '',
});

const ann = {
  id: 2,
  role: 1,
  status: 1,
  username: 'ann',
  display_name: '',
  nickname: '',
  portrait: '',
  group: 'default',
};
const asked: URLSearchParams[] = [];
beforeEach(() => {
  asked.length = 0;
  storeUser(ann);
  const { fetch } = globalThis;
  onCall('GET /api/user/self/groups', () => ({}));
  onCall('GET /api/log/self/stat', () => ({ quota: 10, rpm: 0, tpm: 0 }));
  onCall('GET /api/user/self', () => ({ quota: 1, request_count: 1 }));
  onCall('GET /api/turnpike/channel_names', () => []);
  vi.stubGlobal('fetch', (url: string, request?: RequestInit) => {
    const { pathname, searchParams } = new URL(url, 'http://site.test');
    if (pathname !== '/api/log/self') return fetch(url, request);
    asked.push(searchParams);
    const found =
      searchParams.get('request_id') === requestId
        ? [row(requestId, 'old-model')]
        : [row('20261122x', 'new-model')];
    return Promise.resolve(
      Response.json({
        success: true,
        message: '',
        data: { items: found, total: found.length, page: 1, page_size: 10 },
      }),
    );
  });
});

describe('the log', () => {
  it('finds a request by its id, whenever it was', async () => {
    show(<LogScreen />, `/log?request=${requestId}`);
    await screen.findAllByText('old-model');
    const [first] = asked;
    expect(first?.get('request_id')).toBe(requestId);
    expect([first?.get('start_timestamp') ?? '0', first?.get('end_timestamp') ?? '0']).toEqual([
      '0',
      '0',
    ]);
  });

  it('opens the row of a link that is no longer on the first page', async () => {
    const router = show(<LogScreen />, `/log?open=${requestId}`);
    await screen.findByRole('region', { name: 'How this was priced' });
    await waitFor(() =>
      expect(router.state.location.search).toBe(`?open=${requestId}&request=${requestId}`),
    );
    expect(screen.queryByText('new-model')).toBeNull();
  });
});

describe('the sums of the log', () => {
  it('are those of the filters, or not known yet', async () => {
    const router = show(<LogScreen />, '/log');
    const sums = () => screen.getByLabelText('Totals of the selected range').textContent;
    await waitFor(() => expect(sums()).toContain('$0.00002'));
    const { promise, resolve } = Promise.withResolvers<object>();
    onCall('GET /api/log/self/stat', () => promise);
    await act(() => router.navigate('/log?model=other'));
    expect(sums()).not.toContain('$');
    resolve({ quota: 1_000_000, rpm: 0, tpm: 0 });
    await waitFor(() => expect(sums()).toContain('$2.00'));
  });
});

describe('the filters of the log', () => {
  const openFilter = async (filter: string) => {
    const router = show(<LogScreen />, '/log');
    await screen.findAllByText('new-model');
    fireEvent.click(screen.getByRole('button', { name: filter }));
    fireEvent.click(await screen.findByLabelText(filter, { selector: 'input' }));
    return router;
  };
  const suggested = () =>
    screen.queryAllByRole('option', { hidden: true }).map(({ textContent }) => textContent);

  it('suggest the models that may be called, and those of the rows', async () => {
    onCall('GET /api/user/models', () => ['gpt-4o']);
    await openFilter('Model');
    await waitFor(() => expect(suggested()).toEqual(['gpt-4o', 'new-model']));
  });

  it('suggest tokens', async () => {
    onCall('GET /api/token/', () => [{ id: 1, name: 'production' }]);
    await openFilter('Token');
    await waitFor(() => expect(suggested()).toEqual(['app', 'production']));
  });

  it('suggest channels by name and filter by their id', async () => {
    storeUser({
      id: 1,
      role: 100,
      status: 1,
      username: 'root',
      display_name: '',
      nickname: '',
      portrait: '',
      group: 'default',
    });
    onCall('GET /api/log/', () => ({
      items: [row('20261122x', 'new-model')],
      total: 1,
      page: 1,
      page_size: 10,
    }));
    onCall('GET /api/log/stat', () => ({ quota: 10, rpm: 0, tpm: 0 }));
    onCall('GET /api/turnpike/channel_names', () => [{ id: 10, name: 'Claude official' }]);
    const router = await openFilter('Channel');
    fireEvent.click(await screen.findByText('#10 Claude official'));
    await waitFor(() =>
      expect(new URLSearchParams(router.state.location.search).get('channel')).toBe('10'),
    );
  });
});

/** The list has this row only. */
function replyWith(only: object): void {
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (url: string, request?: RequestInit) => {
    if (new URL(url, 'http://site.test').pathname !== '/api/log/self') return fetch(url, request);
    const data = { items: [only], total: 1, page: 1, page_size: 10 };
    return Promise.resolve(Response.json({ success: true, message: '', data }));
  });
}

describe('the row of a task', () => {
  it.each([
    ['wan2.5-t2v', 2, '/task?id=task_a%2Fb'],
    ['mj_imagine', 2, '/midjourney?id=task_a%2Fb'],
    ['suno_music', 4, '/task?id=task_a%2Fb'],
  ])('of %s and type %i leads to the log of its task', async (model, type, address) => {
    replyWith({ ...row('20261122z', model), type, other: JSON.stringify({ task_id: 'task_a/b' }) });
    show(<LogScreen />, '/log?open=20261122z');
    expect((await screen.findByRole('link', { name: 'task_a/b' })).getAttribute('href')).toBe(
      address,
    );
  });
});

describe('the ticket of a request', () => {
  it('says why it cost so much: a long prompt, tiers, tools and other models', async () => {
    const prices = { model_ratio: 1, model_price: -1, completion_ratio: 5, group_ratio: 1 };
    const other = {
      ...prices,
      price_step: { above: 272_000, input: 2, output: 1.5 },
      tiers: { priority: 2, scale: null },
      tool_calls: { file_search: { count: 3, price: 0.0025 } },
      other_models: [{ model: 'adviser', prompt_tokens: 10, completion_tokens: 0, ...prices }],
      admin_info: { below_cost: 1_000_000 },
    };
    // 300,000 × 2 × 2 + 5 × 1.5 × 2 + 3 × 1,250 + 10
    replyWith({
      ...row('20261122w', 'm'),
      prompt_tokens: 300_000,
      quota: 1_203_775,
      other: JSON.stringify(other),
    });
    show(<LogScreen />, '/log?open=20261122w');
    const ticket = await screen.findByRole('region', { name: 'How this was priced' });
    for (const words of [
      '> 272,000',
      '× 2 / × 1.5',
      'priority',
      'no price',
      'file_search',
      'adviser Input',
    ])
      expect(ticket.textContent).toContain(words);
    expect(ticket.textContent).toContain('Rounding');
    expect(screen.getByText('Sold below cost').nextSibling?.textContent).toBe('$2.000000');
  });
});

it('the ticket says what the upstream said: its id, another model, its cost, tools and limits, …', async () => {
  const step = {
    name: 'c',
    type: 1,
    priority: 0,
    weight: 1,
    ms: 5,
    status: 200,
    reason: 'priority',
  };
  const reply = { upstream_id: 'req_1', replied_model: 'small', dropped_thinking: ['a', 'b'] };
  const said = {
    ...reply,
    cache_miss: 'tools_changed',
    stated_cost: 5000,
    hosted_tools: [{ tool: 'web_search', count: 2 }],
    reported_usage: [{ input_tokens: 9 }],
    limits: [{ unit: 'requests', limit: 5000, left: 4999, reset_ms: 12_000 }],
  };
  const route = [
    { ...step, channel: 7, error: 'x', message: 'no', status: 500, upstream_id: 'req_0' },
    { ...step, channel: 8, ...said, other_model: true },
  ];
  storeUser({ ...ann, role: 10 });
  const entity = { ...row('20261122z', 'large'), other: JSON.stringify({ admin_info: { route } }) };
  show(<LogDetails row={readLog(entity)} />);
  await screen.findByText('replied with another model: small');
  expect(screen.getByText('not from the vendor’s cache: tools_changed')).toBeTruthy();
  expect(screen.getByText(/^cost stated by the vendor: \$0\.01/)).toBeTruthy();
  expect(screen.getByText('tools run by the vendor: web_search × 2')).toBeTruthy();
  expect(screen.getByText('usage reported by the vendor: {"input_tokens":9}')).toBeTruthy();
  expect(
    screen.getByText(/^the account may send 4,999 of 5,000 requests, all again in 12/),
  ).toBeTruthy();
  for (const words of ['dropped by the vendor: 2', 'id at the upstream: req_1', 'upstream: req_0'])
    expect(screen.getByText(new RegExp(`${words}$`))).toBeTruthy();
});

describe('the row of a top-up', () => {
  it.each([
    ['en', 'Topped up $10.00 online'],
    ['zh', '在线充值 $10.00'],
  ] as const)('follows the language of its reader, not of the site: %s', async (language, text) => {
    const texts = { en: 'Topped up $10.00 online', zh: '在线充值 $10.00' };
    const topUp = {
      type: 1,
      quota: 0,
      content: 'as the site was',
      other: JSON.stringify({ texts }),
    };
    replyWith({ ...row('', ''), ...topUp });
    await changeLanguage(language);
    show(<LogScreen />, '/log');
    await screen.findByText(new RegExp(text.replace('$', '\\$')));
    expect(screen.queryByText(/as the site was/)).toBeNull();
    await changeLanguage('en');
  });
});

describe('the row of a failed request', () => {
  it('shows its status in the list, and in its details the cause instead of a price', async () => {
    const failed = {
      ...row('20261122y', 'gpt-4o'),
      type: 5,
      quota: 0,
      content: 'The upstream did not respond in time',
      other: JSON.stringify({ status_code: 504, error_code: 'upstream_timeout', use_ms: 30_000 }),
    };
    replyWith(failed);
    show(<LogScreen />, '/log?open=20261122y');
    await screen.findByText('The upstream did not respond in time');
    expect(screen.getByText('504 · upstream_timeout')).toBeTruthy();
    expect(screen.getAllByText('504').length).toBeGreaterThan(0);
    expect(screen.queryByRole('region', { name: 'How this was priced' })).toBeNull();
  });
});
