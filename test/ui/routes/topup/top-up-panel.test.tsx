// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeUser } from '../../../../src/ui/client/session.ts';
import { TopUpPanel } from '../../../../src/ui/routes/topup/top-up-panel.tsx';
import { onCall, prepareConsole, Refusal, sent, show, WholeBody } from '../../support/render.tsx';

prepareConsole();

const status = {
  system_name: 'Turnpike',
  quota_per_unit: 500_000,
  display_in_currency: true,
  setup: true,
  price: 7.3,
  min_topup: 5,
  enable_epay: true,
  enable_wechat_pay: true,
};

beforeEach(() => {
  storeUser({
    id: 1,
    role: 1,
    status: 1,
    username: 'a',
    display_name: '',
    nickname: '',
    portrait: '',
    group: 'vip',
  });
  onCall('GET /api/status', () => status);
  const factors = { quota: 5_000_000, price: 7.3, group_ratio: 0.5, discount: 1 };
  onCall(
    'POST /api/user/amount',
    () => new WholeBody({ success: true, message: 'success', data: '36.50', ...factors }),
  );
});

const amount = () => screen.findByRole('textbox', { name: 'Top-up amount' });
const submit = () => screen.getByRole('button', { name: 'Show the WeChat Pay code' });
const orders = () => sent.filter(({ call }) => call === 'POST /api/user/wechatpay');

describe('the top-up panel', () => {
  it('says that online top-up is off', async () => {
    onCall('GET /api/status', () => ({ ...status, enable_epay: false, enable_wechat_pay: false }));
    show(<TopUpPanel group="vip" />);
    await screen.findByText('The administrator has not enabled online top-up');
    expect(screen.queryByRole('button')).toBeNull();
  });

  it.each(['', '4', '0'])('orders nothing for the amount %j', async (text) => {
    show(<TopUpPanel group="vip" />);
    fireEvent.change(await amount(), { target: { value: text } });
    await screen.findByText(
      text === '' ? 'Enter an amount' : 'Top-up amount cannot be less than $5.00',
    );
    fireEvent.click(submit());
    expect(orders()).toEqual([]);
  });

  it('has no place for a sign or a word in the amount', async () => {
    show(<TopUpPanel group="vip" />);
    const field = (await amount()) as HTMLInputElement;
    for (const text of ['-20', 'ten']) {
      fireEvent.change(field, { target: { value: text } });
      expect(field.value).not.toMatch(/[-a-z]/);
    }
  });

  it('shows the factors of the sum', async () => {
    show(<TopUpPanel group="vip" />);
    const ticket = await screen.findByRole('region', { name: 'What you pay' });
    await waitFor(() => expect(ticket.textContent).toContain('¥36.50'));
    expect(ticket.textContent).toContain('Price × vip top-up ratio¥7.30 × 0.5');
    expect(ticket.textContent).not.toContain('Promo code');
  });

  it('shows the refusal of an amount that only the server can judge, and orders nothing', async () => {
    onCall('POST /api/user/amount', () => {
      throw new Refusal('amount_limit', 'This amount is too large');
    });
    show(<TopUpPanel group="vip" />);
    fireEvent.change(await amount(), { target: { value: '9000000000000000' } });
    await waitFor(() =>
      expect(screen.getByRole('alert').textContent).toContain('This amount is too large'),
    );
    fireEvent.click(submit());
    await waitFor(() => expect(screen.getAllByRole('alert').length).toBeGreaterThan(1));
    expect(orders()).toEqual([]);
  });

  it('takes and shows quota while the site shows amounts as quota', async () => {
    onCall('GET /api/status', () => ({ ...status, display_in_currency: false }));
    show(<TopUpPanel group="vip" />);
    fireEvent.click(await screen.findByRole('button', { name: '10,000,000' }));
    expect(((await amount()) as HTMLInputElement).value).toBe('10,000,000');
    await screen.findByText('min 2,500,000');
    await waitFor(() =>
      expect(sent).toContainEqual({
        call: 'POST /api/user/amount',
        body: { amount: 10_000_000, top_up_code: '' },
      }),
    );
  });

  it('requests the sum again where it could not be had, and orders once it is shown', async () => {
    const sum = { success: true, message: 'success', data: '36.50' };
    const factors = { quota: 5_000_000, price: 7.3, group_ratio: 0.5, discount: 1 };
    onCall('POST /api/user/amount', () => {
      throw new Refusal('database_unavailable', 'The database cannot be reached');
    });
    show(<TopUpPanel group="vip" />);
    await screen.findByRole('alert');
    onCall('POST /api/user/amount', () => new WholeBody({ ...sum, ...factors }));
    fireEvent.click(submit());
    await screen.findByText('¥36.50');
    expect(orders()).toEqual([]);
    fireEvent.click(submit());
    await waitFor(() => expect(orders()).toHaveLength(1));
  });

  it('orders once where "order again" is clicked twice', async () => {
    const code = { code_url: 'weixin://a', trade_no: 'T1', money: 36.5, expires_in: 0 };
    onCall('GET /api/user/wechatpay/query', () => ({ status: 'NOTPAY' }));
    onCall(
      'POST /api/user/wechatpay',
      () => new WholeBody({ success: true, message: 'success', data: code }),
    );
    show(<TopUpPanel group="vip" />);
    await screen.findByText('¥36.50');
    fireEvent.click(submit());
    const again = await screen.findByRole('button', { name: 'Order again' });
    const { promise, resolve } = Promise.withResolvers<WholeBody>();
    onCall('POST /api/user/wechatpay', () => promise);
    fireEvent.click(again);
    // Its reply is on its way.
    await waitFor(() => expect(orders()).toHaveLength(2));
    fireEvent.click(again);
    resolve(
      new WholeBody({ success: true, message: 'success', data: { ...code, trade_no: 'T2' } }),
    );
    await screen.findByText('T2');
    expect(orders()).toHaveLength(2);
  });
});
