// Covers src/core/entities/posting-subject.ts, src/core/vocabulary/subject-kinds.ts.
/** What postings are about is found for a page of them at once, on every engine. */
import { expect, test } from 'vitest';
import { subjectsOf } from '../../../src/core/billing/subjects.ts';
import { subjectText } from '../../../src/core/entities/posting-subject.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import type { OpenStorage } from '../../../src/core/storage/open.ts';
import { forEachEngineInTurn } from '../../support/storage.ts';
import {
  addUser,
  closeLedgersAfterEach,
  logFor,
  openLedger,
  redeemGuard,
} from './ledger-support.ts';

async function describe(storage: OpenStorage, userId: number, forAdmins: boolean) {
  const { items } = await storage.ledger.page({ userId }, { offset: 0, limit: 100 });
  const subjects = await subjectsOf(storage, items, forAdmins);
  return [...items].reverse().map((row) => {
    const subject = subjects.get(row.id) ?? null;
    return { kind: row.kind, subject, text: subjectText({ ...row, subject }, 'en', String) };
  });
}

forEachEngineInTurn('subjects of postings', (engine) => {
  closeLedgersAfterEach();

  test('charges of the same second name their own models, those without a row their requests', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const [ann, bob] = [await addUser(storage), await addUser(storage)];
    const charge = async (userId: number, requestId: string, modelName: string | null) => {
      const hold = await ledger.hold({ requestId, userId, tokenId: 0, amount: toQuota(1) });
      const log = modelName === null ? null : { ...logFor(userId, requestId, 1), modelName };
      await ledger.settle(hold, { amount: toQuota(1), channelId: 0, log, rollup: null });
    };
    for (const user of [ann, bob])
      await ledger.post({
        userId: user,
        kind: 'opening',
        amount: toQuota(9),
        reference: `${user}`,
      });
    await charge(ann, 'r1', 'm1');
    await charge(bob, 'r2', 'm2');
    await charge(ann, 'r3', 'm3');
    await charge(ann, 'r4', null);
    expect(await describe(storage, ann, false)).toEqual([
      { kind: 'opening', subject: null, text: '' },
      { kind: 'charge', subject: { kind: 'request', id: 'r1', name: 'm1' }, text: 'm1' },
      { kind: 'charge', subject: { kind: 'request', id: 'r3', name: 'm3' }, text: 'm3' },
      { kind: 'charge', subject: { kind: 'request', id: 'r4', name: '' }, text: 'r4' },
    ]);
    const { items } = await storage.ledger.page({}, { offset: 0, limit: 100 });
    const all = await subjectsOf(storage, items, true);
    expect([...all.values()].map(({ name }) => name).sort()).toEqual(['', 'm1', 'm2', 'm3']);
  });

  test('orders, codes that were deleted, failed tasks, people and gifts', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const root = await addUser(storage);
    const ann = await addUser(storage);
    await storage.users.update(ann, { inviterId: root });
    const rootName = (await storage.users.find(root))?.username ?? '';
    await storage.topUps.insert({
      userId: ann,
      amount: 1,
      moneyCents: 730,
      quota: toQuota(5),
      tradeNo: 'order1',
      status: 'success',
      paymentMethod: 'alipay',
      goodsName: '',
      createTime: 1,
      topUpCode: '',
    });
    const [code = 0] = await storage.redemptions.insertMany([
      { userId: root, key: new Secret('c'), name: 'Spring', quota: toQuota(5), createdTime: 1 },
    ]);
    const post = (kind: 'grant' | 'invite' | 'top_up' | 'adjustment', reference: string | null) =>
      ledger.post({ userId: ann, kind, amount: toQuota(5), reference });
    await post('grant', `account:${ann}`);
    await post('invite', `account:${ann}`);
    await post('top_up', 'order1');
    await ledger.post({
      userId: ann,
      kind: 'payment_refund',
      amount: toQuota(-1),
      reference: 'order1:total-100',
    });
    await ledger.post({
      userId: ann,
      kind: 'redemption',
      amount: toQuota(5),
      reference: String(code),
      guard: redeemGuard(code, ann),
    });
    await storage.redemptions.softDelete(code, 9);
    const acted = { ...logFor(ann, '', 5), type: 1 };
    await ledger.post({
      userId: ann,
      kind: 'grant',
      amount: toQuota(5),
      reference: null,
      log: { ...acted, other: JSON.stringify({ admin_info: { actor_id: root, actor: rootName } }) },
    });
    await post('grant', null);
    await post('grant', 'subscription:3');
    await post('adjustment', null);
    const task = await storage.tasks.insert({
      userId: ann,
      taskId: 'task_x',
      platform: 'video',
      createdAt: 1,
      status: 'QUEUED',
    });
    await ledger.refund({
      userId: ann,
      charges: [{ tokenId: 0, channelId: 0, amount: toQuota(2), rollup: null }],
      reference: `task:${task}`,
      log: { ...acted, modelName: 'sora-2', other: JSON.stringify({ task_id: 'task_x' }) },
      guard: { table: 'tasks', id: task, from: 'QUEUED', to: 'FAILURE', set: {} },
    });
    const people = [
      { kind: 'inviter', id: String(root), name: rootName },
      { kind: 'administrator', id: String(root), name: rootName },
    ];
    const rows = await describe(storage, ann, true);
    expect(rows.map(({ text }) => text)).toEqual([
      'new account',
      `invited by ${rootName}`,
      'alipay, order order1',
      'alipay, order order1',
      `Spring (code ${code})`,
      `by ${rootName}`,
      'by an administrator',
      'subscription:3',
      '',
      'sora-2, task task_x',
    ]);
    expect([rows[1]?.subject, rows[5]?.subject]).toEqual(people);
    // Customers are not told who acts for the site, nor who invited them.
    const own = await describe(storage, ann, false);
    expect(own.map(({ text }) => text)).toEqual([
      'new account',
      'registered with an invite',
      'alipay, order order1',
      'alipay, order order1',
      `Spring (code ${code})`,
      'by an administrator',
      'by an administrator',
      'subscription:3',
      '',
      'sora-2, task task_x',
    ]);
    expect(JSON.stringify(own)).not.toContain(rootName);
  });
});
