// @vitest-environment happy-dom
/** The wallet names what money was spent on, and says when there is none left. */
import { screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UserEntity } from '../../../../src/core/contract/entities.ts';
import { storeUser } from '../../../../src/ui/client/session.ts';
import { loadTextPart } from '../../../../src/ui/i18n/index.ts';
import { Balance } from '../../../../src/ui/routes/topup/balance.tsx';
import { LedgerList } from '../../../../src/ui/routes/topup/ledger-list.tsx';
import { onCall, prepareConsole, sent, show } from '../../support/render.tsx';

prepareConsole();
beforeAll(() => loadTextPart('topup'));

const pageOf = (items: readonly object[]) => ({
  ...{ items, total: items.length, page: 1, page_size: 8 },
});
const posting = (id: number, kind: string, reference: string | null) => ({
  ...{ id, user_id: 1, token_id: 1, kind, reference, created_at: 1_795_000_000 },
  ...{ amount: kind === 'charge' ? -100 : 100, balance_after: 1000 - id },
});
const usage = (request_id: string, model_name: string) => ({
  ...{ id: 1, user_id: 1, username: 'a', created_at: 1_795_000_000, type: 2, content: '' },
  ...{ token_name: 't', token_id: 1, model_name, quota: 100, prompt_tokens: 1 },
  ...{ completion_tokens: 1, use_time: 1, is_stream: true, channel: 0, group: 'default' },
  ...{ channel_name: '', request_id, other: '' },
});

beforeEach(() => {
  storeUser({
    ...{ id: 1, role: 1, status: 1, username: 'a', display_name: '', nickname: '', portrait: '' },
    group: 'default',
  });
  onCall('GET /api/status', () => ({
    ...{ system_name: 'Turnpike', quota_per_unit: 500_000, display_in_currency: true, setup: true },
  }));
});

describe('rows of the wallet', () => {
  it('name the model of a charge and lead to its row; others keep their reference', async () => {
    onCall('GET /api/turnpike/ledger/self', () =>
      pageOf([
        posting(1, 'charge', 'request-1'),
        posting(2, 'charge', 'request-2'),
        posting(3, 'top_up', 'order-1'),
        posting(4, 'grant', null),
      ]),
    );
    onCall('GET /api/log/self', () => pageOf([usage('request-1', 'gpt-4o')]));
    show(<LedgerList balance={999} />);
    const link = await screen.findByRole('link', { name: 'gpt-4o' });
    expect(link.getAttribute('href')).toBe('/log?request=request-1');
    expect(screen.getByRole('link', { name: 'request-2' }).getAttribute('href')).toBe(
      '/log?request=request-2',
    );
    expect(screen.getByText('order-1').closest('a')).toBeNull();
  });

  it('ask for no usage where nothing was charged', async () => {
    onCall('GET /api/turnpike/ledger/self', () => pageOf([posting(3, 'top_up', 'order-1')]));
    show(<LedgerList balance={997} />);
    await screen.findByText('order-1');
    await waitFor(() => expect(sent.some(({ call }) => call === 'GET /api/log/self')).toBe(false));
  });
});

it.each([
  [0, 'Your balance is used up. Top up to make requests again.'],
  [-1, 'Your balance is negative. Top up to make requests again.'],
])('a balance of %d is red', async (quota, text) => {
  onCall('GET /api/data/self', () => []);
  show(<Balance self={{ quota, setting: '' } as UserEntity} />);
  const note = await screen.findByText(text);
  expect(note.closest('[data-tone]')?.getAttribute('data-tone')).toBe('red');
});
