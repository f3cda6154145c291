/** Receipts say what the order's row says, to its payer and to administrators above the payer. */
import { describe, expect, it } from 'vitest';
import { payerFields, payerLimits } from '../../../src/core/entities/payer.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { codeOf, createTestApp, type TestApp } from '../../support/app.ts';

describe('receipts', () => {
  let site: TestApp;
  let [ann, admin, other] = [0, 0, 0];
  const place = (userId: number, tradeNo: string, status: 'success' | 'pending' | 'failed') =>
    site.app.storage.topUps.insert({
      userId,
      tradeNo,
      status,
      paymentMethod: 'alipay',
      goodsName: '',
      topUpCode: '',
      // A price that no ratio explains any more: nothing may be computed from it.
      amount: 10,
      moneyCents: 7331,
      quota: toQuota(4_999_999),
      refundedCents: 31,
      createTime: 1_795_000_000,
      finishTime: status === 'success' ? 1_795_000_100 : 0,
    });

  const open = async () => {
    site = await createTestApp();
    const { addUser, operator } = site;
    [ann, admin, other] = [
      await addUser('ann'),
      await addUser('bob', { role: 10 }),
      await addUser('cid', { role: 10 }),
    ];
    await operator.option.set({ key: 'SystemName', value: 'Lane' });
    await place(ann, 'paid', 'success');
    await place(ann, 'open', 'pending');
    await place(ann, 'closed', 'failed');
    await place(admin, 'of-admin', 'success');
  };

  it('have the sums of the order and the payer that is saved now', async () => {
    await open();
    const client = await site.as(ann);
    const before = await client.topUp.receipt({ trade_no: 'paid' });
    expect(before).toMatchObject({
      site_name: 'Lane',
      username: 'ann',
      payer_name: '',
      payer_address: '',
      payer_tax_number: '',
      order: {
        trade_no: 'paid',
        money: 73.31,
        refunded: 0.31,
        quota: 4_999_999,
        payment_method: 'alipay',
        finish_time: 1_795_000_100,
      },
    });
    expect(before.order.finish_time_str).toMatch(/^2026-1\d-\d\d \d\d:\d\d:\d\d$/);
    const payer = {
      payer_name: 'Ann & Sons Ltd',
      payer_address: '1 Long Lane\nLondon',
      payer_tax_number: 'GB 123',
    };
    await client.self.updateSetting({ notify_type: 'email', accept_unset_model_ratio_model: true });
    await client.self.updateSetting({ ...payer, payer_name: `  ${payer.payer_name} ` });
    expect(await client.topUp.receipt({ trade_no: 'paid' })).toMatchObject(payer);
    // Other settings stay, and the details stay when others change.
    await client.self.updateSetting({ accept_unset_model_ratio_model: false });
    expect(JSON.parse((await client.self.get()).setting)).toMatchObject({
      ...payer,
      accept_unset_model_ratio_model: false,
    });
    await client.self.updateSetting({ payer_name: '' });
    expect((await client.topUp.receipt({ trade_no: 'paid' })).payer_name).toBe('');
  });

  it('are for the payer and for administrators above, and only of what is paid', async () => {
    await open();
    const [own, foreign] = [await site.as(ann), await site.as(other)];
    const receipt = (client: typeof own, trade_no: string) =>
      codeOf(client.topUp.receipt({ trade_no }));
    expect(await receipt(own, 'open')).toBe('order_not_paid');
    expect(await receipt(own, 'closed')).toBe('order_not_paid');
    expect(await receipt(own, 'none')).toBe('order_unknown');
    // Neither that the order exists nor whether it is paid.
    expect(await receipt(own, 'of-admin')).toBe('order_unknown');
    expect(await receipt(foreign, 'of-admin')).toBe('user_read_forbidden');
    expect(await receipt(foreign, 'open')).toBe('order_not_paid');
    expect(await receipt(await site.as(admin), 'of-admin')).toBe('it did not fail');
    const seen = await foreign.topUp.receipt({ trade_no: 'paid' });
    expect(seen).toMatchObject({ username: 'ann', order: { user_id: ann } });
    expect((await own.topUp.receipt({ trade_no: 'paid' })).order.user_id).toBeUndefined();
    // The money was received, whatever became of the account.
    await site.operator.user.remove({ id: ann });
    expect(await foreign.topUp.receipt({ trade_no: 'paid' })).toMatchObject({
      username: '',
      order: { money: 73.31 },
    });
  });

  it.each(payerFields)('%s has a limit that is named', async (name) => {
    await open();
    const client = await site.as(ann);
    const longest = 'x'.repeat(payerLimits[name]);
    await client.self.updateSetting({ [name]: longest });
    const refusal = client.self.updateSetting({ [name]: `${longest}x` });
    await expect(refusal).rejects.toMatchObject({ code: 'invalid_parameter', field: name });
    expect(await client.topUp.receipt({ trade_no: 'paid' })).toMatchObject({ [name]: longest });
  });
});
