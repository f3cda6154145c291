// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeUser } from '../../../../src/ui/client/session.ts';
import { TopUpHistoryScreen } from '../../../../src/ui/routes/topup/history/index.tsx';
import { onCall, prepareConsole, Refusal, sent, show } from '../../support/render.tsx';

prepareConsole();

const order = {
  id: 1,
  trade_no: 'USR2NOabc1700000000',
  goods_name: '73.00 yuan token top-up package',
  amount: 10,
  quota: 5_000_000,
  money: 73,
  refunded: 0,
  status: 'pending',
  payment_method: 'alipay',
  create_time: 1_700_000_000,
  create_time_str: '',
  finish_time: 0,
  finish_time_str: '',
  user_id: 2,
  username: 'ann',
  note: '',
};
const page = (records: readonly object[]) => ({
  records,
  total: records.length,
  page: 1,
  page_size: 10,
  todayIncome: 73,
  monthIncome: 1073.5,
  yearIncome: 20_000,
});
const signIn = (id: number, role: number) =>
  storeUser({
    id,
    role,
    status: 1,
    username: 'a',
    display_name: '',
    nickname: '',
    portrait: '',
    group: 'default',
  });

beforeEach(() => onCall('GET /api/topup', () => page([order])));

describe('the top-up history', () => {
  it('shows an administrator whose orders they are, and completes one after a question', async () => {
    signIn(1, 10);
    onCall('POST /api/topup/complete', () => ({ ...order, status: 'success' }));
    show(<TopUpHistoryScreen />);
    const row = await screen.findByRole('row', { name: /USR2NOabc1700000000/ });
    expect(row.textContent).toMatch(/ann¥73\.00\$10\.00AlipayProcessing/);
    expect(within(row).queryByRole('button', { name: /Check payment/ })).toBeNull();
    fireEvent.click(within(row).getByRole('button', { name: /^Complete/ }));
    const question = await screen.findByRole('alertdialog', {
      name: 'Complete order USR2NOabc1700000000?',
    });
    expect(question.textContent).toContain('ann is credited $10.00 as if ¥73.00 had been paid');
    expect(sent.map(({ call }) => call)).not.toContain('POST /api/topup/complete');
    fireEvent.click(within(question).getByRole('button', { name: 'Credit $10.00' }));
    await screen.findByText('Order USR2NOabc1700000000 is completed');
    expect(sent).toContainEqual({
      call: 'POST /api/topup/complete',
      body: { trade_no: 'USR2NOabc1700000000' },
    });
  });

  it('refunds what is left of a paid order, or notes it where no provider can pay it back', async () => {
    signIn(1, 10);
    const paid = { ...order, status: 'success', refunded: 23 };
    onCall('GET /api/topup', () =>
      page([paid, { ...paid, id: 2, trade_no: 'T2', payment_method: 'admin' }]),
    );
    onCall('POST /api/turnpike/topup/refund', () => ({ ...paid, refunded: 73 }));
    show(<TopUpHistoryScreen />);
    const refund = async (name: string) => {
      fireEvent.click(await screen.findByRole('button', { name: `More actions for ${name}` }));
      fireEvent.click(await screen.findByRole('menuitem', { name: 'Refund' }));
      return screen.findByRole('dialog', { name: `Refund order ${name}` });
    };
    const dialog = await refund(order.trade_no);
    expect(dialog.textContent).toContain('¥73.00 were paid, ¥23.00 of them are paid back');
    fireEvent.change(within(dialog).getByLabelText('Yuan to pay back'), {
      target: { value: '10.5' },
    });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Refund' }));
    await screen.findByText(`Order ${order.trade_no} is refunded`);
    const noted = await refund('T2');
    fireEvent.click(within(noted).getByRole('button', { name: 'Refund' }));
    await screen.findByText(`Order ${order.trade_no} is refunded`);
    const bodies = () =>
      sent.filter(({ call }) => call === 'POST /api/turnpike/topup/refund').map(({ body }) => body);
    const seen = { refunded: '23.00', reason: '' };
    await waitFor(() =>
      expect(bodies()).toEqual([
        { ...seen, trade_no: order.trade_no, money: '10.5', noted: false },
        { ...seen, trade_no: 'T2', money: '50.00', noted: true },
      ]),
    );
  });

  it('shows the refusal of an order that was paid meanwhile', async () => {
    signIn(1, 10);
    onCall('POST /api/topup/complete', () => {
      throw new Refusal('order_already_paid', 'This order is already paid');
    });
    show(<TopUpHistoryScreen />);
    fireEvent.click(await screen.findByRole('button', { name: /^Complete/ }));
    fireEvent.click(await screen.findByRole('button', { name: 'Credit $10.00' }));
    await screen.findByText('This order is already paid');
  });

  it('shows users the sums, a look-up of what is open, and nothing of an administrator', async () => {
    signIn(2, 1);
    onCall('GET /api/user/wechatpay/query', () => ({ trade_no: order.trade_no, status: 'CLOSED' }));
    show(<TopUpHistoryScreen />);
    const row = await screen.findByRole('row', { name: /USR2NOabc1700000000/ });
    const sums = screen.getByLabelText('Paid');
    await waitFor(() =>
      expect(sums.textContent).toBe('Today¥73.00This month¥1,073.50This year¥20,000.00'),
    );
    expect(screen.queryByRole('columnheader', { name: 'User' })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Complete/ })).toBeNull();
    fireEvent.click(within(row).getByRole('button', { name: /Check payment/ }));
    await screen.findByText('The order is closed and was not paid');
  });

  it('reads a status that it does not know as failed, and a method as it is', async () => {
    signIn(2, 1);
    onCall('GET /api/topup', () =>
      page([{ ...order, status: 'expired', payment_method: 'stripe' }]),
    );
    show(<TopUpHistoryScreen />);
    await screen.findByRole('row', { name: /stripe.*Failed/ });
  });

  it('says that the records could not be read, or that there are none', async () => {
    signIn(2, 1);
    onCall('GET /api/topup', () => {
      throw new Refusal('internal_error', 'broken');
    });
    show(<TopUpHistoryScreen />);
    await screen.findByText('Failed to get top-up records');
    onCall('GET /api/topup', () => page([]));
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect((await screen.findByRole('link', { name: 'Top up' })).getAttribute('href')).toBe(
      '/topup',
    );
  });

  it('removes from the address what a payment page added, and does not wait for an order of somebody else', async () => {
    signIn(2, 1);
    onCall('GET /api/user/wechatpay/query', () => {
      throw new Refusal('order_unknown', 'There is no such order');
    });
    const router = show(
      <TopUpHistoryScreen />,
      '/topup/history?out_trade_no=USR9NOx&money=1.00&trade_status=TRADE_SUCCESS&sign=f',
    );
    await screen.findByText(/Confirming the payment of order USR9NOx/);
    await waitFor(() => expect(router.state.location.search).toBe(''));
    await waitFor(() => expect(screen.queryByText(/USR9NOx/)).toBeNull());
  });
});
