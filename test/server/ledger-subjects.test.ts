// Covers src/core/i18n/method-name.ts.
/** Every face of the ledger says the same of a posting, each to whom it is meant for. */
import { expect, test } from 'vitest';
import { actorFrom } from '../../src/core/accounts/actor-from.ts';
import { createClient } from '../../src/core/contract/client.ts';
import { createLocalTransport } from '../../src/server/local-client.ts';
import { runCli } from '../cli/run-cli.ts';
import { createTestApp } from '../support/app.ts';
import { configureEpay, startEpayGateway } from '../support/epay-gateway.ts';

test('a customer pays, redeems, gets a grant and is corrected', async () => {
  const { app, operator, as, addUser } = await createTestApp();
  const epay = await startEpayGateway();
  await configureEpay(operator, epay);
  const id = await addUser('ann', { quota: 7 });
  const ann = await as(id);
  const { data: form } = await ann.topUp.pay({ amount: 10, payment_method: 'zfb' });
  epay.submit(form);
  const order = form['out_trade_no'] ?? '';
  epay.markPaid(order);
  await app.payments.epay.notice(epay.notice(order));
  const [key = ''] = await operator.redemption.create({ name: 'Spring', quota: 5, count: 1 });
  await ann.wallet.redeem({ key });
  await operator.user.grant({ user_id: id, quota: 3 });
  const { quota } = await operator.user.get({ id });
  await operator.user.update({ id, quota: quota - 1, quota_base: quota });
  const expected = [
    { kind: 'adjustment', subject: { kind: 'administrator', id: '1', name: 'root' } },
    { kind: 'grant', subject: { kind: 'administrator', id: '1', name: 'root' } },
    { kind: 'redemption', subject: { kind: 'code', id: '1', name: 'Spring' } },
    { kind: 'top_up', subject: { kind: 'order', id: order, name: 'alipay' } },
    { kind: 'grant', subject: { kind: 'account', id: String(id), name: '' } },
  ];
  expect((await operator.ledger.list({ user_id: id })).items).toMatchObject(expected);
  expect((await operator.statement.get({ user_id: id })).movements).toMatchObject(
    expected.toReversed(),
  );
  const nobody = { kind: 'administrator', id: '', name: '' };
  const own = expected.map((row) =>
    row.subject.kind === 'administrator' ? { ...row, subject: nobody } : row,
  );
  expect((await ann.ledger.listSelf({})).items).toMatchObject(own);
  const { movements, month } = await ann.statement.get({});
  expect(movements).toMatchObject(own.toReversed());
  const page = await ann.statement.movements({ month });
  expect(page.items).toEqual(movements);
  const annActor = actorFrom(await app.accounts.own.get(id), '192.0.2.1');
  const fileOf = async (language: 'en' | 'zh') => {
    const client = createClient(createLocalTransport(app, annActor, language));
    let text = '';
    for await (const chunk of (await client.statement.export({})).chunks) text += chunk;
    return text;
  };
  const english = await fileOf('en');
  expect(english).toContain(`,top_up,"Alipay, order ${order}",1,`);
  expect(english).toContain(',redemption,Spring (code 1),1,5,0.00001,');
  expect(english).toContain(',grant,by an administrator,1,3,');
  expect(english).toMatch(new RegExp(`,\\d+,${order}\\r\\n`));
  expect(english).not.toContain('root');
  const chinese = await fileOf('zh');
  expect(chinese).toContain(`,top_up,支付宝，订单 ${order},1,`);
  expect(chinese).toContain(',redemption,Spring（兑换码 1）,1,5,');
  for (const [lang, paid, granted] of [
    ['en_US.UTF-8', `Alipay, order ${order}`, 'by root'],
    ['zh_CN.UTF-8', `支付宝，订单 ${order}`, '操作人：root'],
  ] as const) {
    const run = await runCli(['ledger', 'list', '--user', 'ann'], {
      transport: createLocalTransport(app, undefined, 'en'),
      environment: { LANG: lang },
    });
    expect(run.stdout).toContain(paid);
    expect(run.stdout).toContain(granted);
  }
});
