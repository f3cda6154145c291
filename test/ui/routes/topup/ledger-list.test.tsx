// @vitest-environment happy-dom
/** The wallet names what money was spent on, and says when there is none left. */
import { screen } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UserEntity } from '../../../../src/core/contract/entities.ts';
import { client } from '../../../../src/ui/client/api.ts';
import { storeUser } from '../../../../src/ui/client/session.ts';
import { loadTextPart } from '../../../../src/ui/i18n/index.ts';
import { Balance } from '../../../../src/ui/routes/topup/balance.tsx';
import { LedgerList } from '../../../../src/ui/routes/topup/ledger-list.tsx';
import { onCall, prepareConsole, show } from '../../support/render.tsx';

prepareConsole();
beforeAll(() => loadTextPart('topup'));

const pageOf = (items: readonly object[]) => ({
  items,
  total: items.length,
  page: 1,
  page_size: 8,
});
const posting = (
  id: number,
  kind: string,
  reference: string | null,
  subject: { kind: string; id: string; name: string } | null = null,
) => ({
  id,
  user_id: 1,
  token_id: 1,
  kind,
  reference,
  subject,
  created_at: 1_795_000_000,
  amount: kind === 'charge' ? -100 : 100,
  balance_after: 1000 - id,
});

const customer = {
  id: 1,
  role: 1,
  status: 1,
  username: 'a',
  display_name: '',
  nickname: '',
  portrait: '',
  group: 'default',
};
beforeEach(() => {
  storeUser(customer);
  onCall('GET /api/status', () => ({
    system_name: 'Turnpike',
    quota_per_unit: 500_000,
    display_in_currency: true,
    setup: true,
  }));
});

describe('rows of the wallet', () => {
  const rows = [
    posting(1, 'charge', 'r1', { kind: 'request', id: 'r1', name: 'gpt-4o' }),
    posting(2, 'charge', 'r2', { kind: 'request', id: 'r2', name: '' }),
    posting(3, 'top_up', 'o1', { kind: 'order', id: 'o1', name: 'alipay' }),
    posting(4, 'redemption', '7', { kind: 'code', id: '7', name: 'Spring' }),
    posting(5, 'grant', null, { kind: 'administrator', id: '', name: '' }),
    posting(6, 'refund', 'task:9', { kind: 'task', id: 'task_x', name: 'sora-2' }),
    posting(7, 'opening', 'user:1'),
  ];
  const ways = async () => {
    onCall('GET /api/turnpike/ledger/self', () => pageOf(rows));
    show(<LedgerList balance={999} />);
    await screen.findByRole('link', { name: 'gpt-4o' });
    return screen
      .getAllByRole('link')
      .map((link) => `${link.textContent} → ${link.getAttribute('href')}`)
      .filter((way) => !way.endsWith('/statement'));
  };
  const own = [
    'gpt-4o → /log?request=r1',
    'r2 → /log?request=r2',
    'Alipay, order o1 → /topup/history?q=o1',
    'sora-2, task task_x → /task?id=task_x',
  ];

  it('say what they are about and lead to it, as far as the customer may see it', async () => {
    const listSelf = vi.spyOn(client.log, 'listSelf');
    expect(await ways()).toEqual(own);
    expect(screen.getByText('Spring (code 7)').closest('a')).toBeNull();
    expect(screen.getByText('by an administrator').closest('a')).toBeNull();
    expect(screen.queryByText('user:1')).toBeNull();
    expect(listSelf).not.toHaveBeenCalled();
  });

  it('lead administrators to codes and people', async () => {
    storeUser({ ...customer, role: 10 });
    rows[4] = posting(5, 'grant', null, { kind: 'administrator', id: '3', name: 'bob' });
    expect(await ways()).toEqual([
      ...own.slice(0, 3),
      'Spring (code 7) → /redemption?q=7',
      'by bob → /user?q=3',
      ...own.slice(3),
    ]);
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
