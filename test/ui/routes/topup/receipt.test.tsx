// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeUser } from '../../../../src/ui/client/session.ts';
import { ReceiptScreen } from '../../../../src/ui/routes/topup/receipt/index.tsx';
import { onCall, prepareConsole, Refusal, sent, show } from '../../support/render.tsx';

prepareConsole();

const receipt = {
  site_name: 'Lane',
  username: 'ann',
  time_zone: 'Asia/Shanghai',
  payer_name: '',
  payer_address: '',
  payer_tax_number: '',
  order: {
    id: 1,
    trade_no: 'USR2NOabc',
    goods_name: '',
    amount: 10,
    quota: 5_000_000,
    money: 73,
    refunded: 0,
    status: 'success',
    payment_method: 'alipay',
    create_time: 1_700_000_000,
    create_time_str: '2023-11-15 06:13:20',
    finish_time: 1_700_000_100,
    finish_time_str: '2023-11-15 06:15:00',
  },
};
const signIn = (id: number, role: number) =>
  storeUser({
    id,
    role,
    status: 1,
    username: 'ann',
    display_name: '',
    nickname: '',
    portrait: '',
    group: 'default',
  });
const path = '/topup/receipt?order=USR2NOabc';
const call = 'GET /api/turnpike/topup/receipt';

beforeEach(() => {
  signIn(2, 1);
  onCall(call, () => receipt);
});

describe('a receipt', () => {
  it('says who paid what to whom, when and how, and leaves out what is not known', async () => {
    show(<ReceiptScreen />, path);
    const paper = await screen.findByRole('article', { name: 'Receipt USR2NOabc' });
    const facts = within(paper)
      .getAllByRole('term')
      .map(({ textContent }) => textContent);
    expect(facts).toEqual(['Received by', 'Order', 'Paid on', 'Payment method', 'Payer']);
    for (const text of ['2023-11-15 06:15:00 (Asia/Shanghai)', 'Alipay', 'Top-up of $10.00'])
      within(paper).getByText(text);
    expect(within(paper).getAllByText('¥73.00')).toHaveLength(2);
    expect(within(paper).queryByText('Paid back')).toBeNull();
  });

  it('shows what was paid back beside what was paid', async () => {
    onCall(call, () => ({ ...receipt, order: { ...receipt.order, refunded: 23.5 } }));
    show(<ReceiptScreen />, path);
    const row = await screen.findByRole('row', { name: /Paid back/ });
    expect(row.textContent).toBe('Paid back¥23.50');
    screen.getByRole('row', { name: 'Paid ¥73.00' });
  });

  it('is made out to the payer that is entered', async () => {
    let saved = receipt;
    onCall(call, () => saved);
    onCall('PUT /api/user/setting', (body) => {
      saved = { ...saved, ...(body as object) };
    });
    show(<ReceiptScreen />, path);
    fireEvent.click(await screen.findByRole('button', { name: 'Add payer' }));
    const dialog = await screen.findByRole('dialog', { name: 'Payer on receipts' });
    const enter = (label: string, value: string) =>
      fireEvent.change(within(dialog).getByLabelText(label), { target: { value } });
    enter('Name or company', 'Ann & Sons Ltd');
    enter('Address', '1 Long Lane\nLondon');
    enter('Tax number', 'GB 123');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
    await screen.findByText('Ann & Sons Ltd');
    expect(sent.find(({ call: name }) => name === 'PUT /api/user/setting')?.body).toEqual({
      payer_name: 'Ann & Sons Ltd',
      payer_address: '1 Long Lane\nLondon',
      payer_tax_number: 'GB 123',
    });
    screen.getByText('GB 123');
    // The account is named beside another payer.
    expect(screen.getByText('Account').nextSibling?.textContent).toBe('ann');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    screen.getByRole('button', { name: 'Edit payer' });
  });

  it("is read, not edited, by administrators who open a customer's", async () => {
    signIn(1, 10);
    onCall(call, () => ({ ...receipt, order: { ...receipt.order, user_id: 2 } }));
    show(<ReceiptScreen />, path);
    await screen.findByRole('article');
    expect(screen.queryByRole('button', { name: 'Add payer' })).toBeNull();
    screen.getByRole('button', { name: 'Print' });
  });

  it('of an order that is not paid is refused in words', async () => {
    onCall(call, () => {
      throw new Refusal('order_not_paid', 'This order is not paid');
    });
    show(<ReceiptScreen />, path);
    await screen.findByText('Could not load the receipt');
    screen.getByText(/This order is not paid/);
    expect(screen.queryByRole('button', { name: 'Print' })).toBeNull();
  });
});
