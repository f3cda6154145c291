/** A site and the model of a random year, and what changes both. */
import { expect } from 'vitest';
import { actorFrom } from '../../../src/core/accounts/actor-from.ts';
import { sumEverybody } from '../../../src/core/billing/statement-sums.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { createTestApp, type OpenApp, testPassword } from '../../support/app.ts';
import { configureEpay, startEpayGateway } from '../../support/epay-gateway.ts';
import { type Fault, type Order, type Step, Year } from './year-model.ts';

const day = 86_400;
const never = new AbortController().signal;

export async function openYear() {
  const site = await createTestApp();
  const { app, clock, operator, addUser } = site;
  const gateway = await startEpayGateway();
  await configureEpay(operator, gateway);
  for (const [key, value] of [
    ['QuotaForNewUser', 0],
    ['QuotaForInviter', 600_001],
  ] as const)
    await operator.option.set({ key, value });
  const users = [await addUser('ann'), await addUser('bob'), await addUser('cat')];
  const model = new Year();
  const { post } = app.ledger;
  let failure: Fault = 'none';
  app.ledger.post = async (posting) => {
    const now = failure;
    failure = 'none';
    if (now === 'before') throw new AppError('ledger_unavailable');
    const posted = await post(posting);
    if (now === 'after') throw new AppError('ledger_outcome_unknown');
    return posted;
  };
  return {
    ...site,
    gateway,
    users,
    model,
    now: () => clock.now() / 1000,
    /** `work` on the site and on the model, which fail alike. */
    both: async (given: Fault, work: () => Promise<unknown>, expected: () => void) => {
      [failure, model.fault] = [given, given];
      const done = await work().then(
        () => true,
        () => false,
      );
      let isDone = true;
      try {
        expected();
      } catch {
        isDone = false;
      }
      expect(done).toBe(isDone);
      [failure, model.fault] = ['none', 'none'];
    },
  };
}
export type World = Awaited<ReturnType<typeof openYear>>;

const actorOf = async (app: OpenApp, id: number) =>
  actorFrom(await app.accounts.own.get(id), '192.0.2.1');
const fail = (): never => {
  throw new Error('refused');
};

async function order({ app, gateway, users, model, now }: World, who: number, amount: number) {
  const actor = await actorOf(app, users[who] ?? 0);
  const { data } = await app.payments.epay.order(actor, { amount, topUpCode: '' }, 'alipay');
  gateway.submit(data);
  const tradeNo = data['out_trade_no'] ?? '';
  model.orders.push({
    tradeNo,
    user: who,
    quota: amount * 500_000,
    cents: amount * 730,
    createdAt: now(),
    status: 'pending',
    byHand: false,
    paid: false,
    paidBack: 0,
    counted: 0,
    finishedAt: 0,
  });
}

/** The gateway notifies the site of a payment. */
export function notify({ app, gateway, model, both, now }: World, one: Order, given: Fault) {
  return both(
    given,
    () => app.payments.epay.notice(gateway.notice(one.tradeNo)),
    () => {
      if (one.status === 'pending' || one.status === 'failed') model.credit(one, now());
    },
  );
}

/** What an administrator pays back, at the gateway or elsewhere (`noted`). */
function payBack(
  world: World,
  one: Order,
  asked: number,
  noted: boolean,
  given: Fault,
  all = false,
) {
  const { app, model, both } = world;
  const money = all ? '' : (asked / 100).toFixed(2);
  const input = { tradeNo: one.tradeNo, money, noted, reason: '' };
  return both(
    given,
    async () => app.payments.refund(await app.setup.findOperator(''), input),
    () => {
      const most = one.cents - one.counted;
      const sum = all ? most : asked;
      if (one.status !== 'credited' || sum < 1 || sum > most) fail();
      if (noted) return model.take(one, sum);
      if (one.byHand) fail();
      const found = Math.max(0, one.paidBack - one.counted);
      if (found > 0) model.take(one, found);
      if (sum <= found) return;
      one.paidBack += sum - found;
      model.take(one, sum - found);
    },
  );
}

export async function act(world: World, given: Step): Promise<void> {
  const { app, operator, as, gateway, users, model, both, now } = world;
  const pick = <T>(list: readonly T[]): T | undefined =>
    'nth' in given && list.length > 0 ? list[given.nth % list.length] : undefined;
  const who = 'user' in given ? given.user : 0;
  const id = users[who] ?? 0;
  const one = pick(model.orders);
  const code = pick(model.codes);
  switch (given.act) {
    case 'order':
      return order(world, who, given.amount);
    case 'pay':
      if (one === undefined || one.paid) return;
      one.paid = true;
      gateway.markPaid(one.tradeNo);
      if (given.isPaidBack) {
        one.paidBack = one.cents;
        gateway.payBack(one.tradeNo, (one.cents / 100).toFixed(2));
      }
      if (!given.isLost) await notify(world, one, given.fault);
      return;
    case 'notice':
      if (!one?.paid) return;
      for (let sent = 0; sent < given.times; sent += 1) await notify(world, one, given.fault);
      return;
    case 'wrong':
      if (one !== undefined)
        await app.payments.epay.notice(gateway.notice(one.tradeNo, { money: given.money }));
      return;
    case 'complete':
      if (one !== undefined)
        await both(
          given.fault,
          () => operator.topUp.complete({ trade_no: one.tradeNo }),
          () => (one.status === 'credited' ? fail() : model.credit(one, now(), true)),
        );
      return;
    case 'payBack':
      if (!one?.paid || one.paidBack + given.cents > one.cents) return;
      one.paidBack += given.cents;
      return gateway.payBack(one.tradeNo, (given.cents / 100).toFixed(2));
    case 'refund':
      if (one !== undefined) await payBack(world, one, given.cents, false, given.fault, given.all);
      return;
    case 'noted':
      if (one !== undefined) await payBack(world, one, given.cents, true, given.fault);
      return;
    case 'code': {
      const expires = given.days === 0 ? 0 : now() + given.days * day;
      const made = await operator.redemption.createBatch({
        name: '=1+1\u202e',
        quota: given.quota,
        count: 1,
        expired_time: expires,
      });
      for (const { id: codeId, key } of made.items)
        model.codes.push({ id: codeId, key, expires, quota: given.quota, isUsed: false });
      return;
    }
    case 'redeem':
      if (code !== undefined)
        await both(
          given.fault,
          async () => (await as(id)).wallet.redeem({ key: code.key }),
          () => {
            if (code.isUsed || (code.expires !== 0 && now() >= code.expires)) fail();
            model.post(who, code.quota, () => {
              code.isUsed = true;
            });
          },
        );
      return;
    case 'recode':
      if (code === undefined) return;
      await both(
        'none',
        () => operator.redemption.update({ id: code.id, quota: given.quota }),
        () => (code.isUsed ? fail() : undefined),
      );
      if (!code.isUsed) code.quota = given.quota;
      return;
    case 'grant':
      if (given.quota > 0) {
        await operator.user.grant({ user_id: id, quota: given.quota });
        model.post(who, given.quota, () => {});
      }
      return;
    case 'edit': {
      const base = (model.balances[who] ?? 0) + given.stale;
      await operator.user.update({ id, quota: given.quota, quota_base: base });
      model.post(who, given.quota - base, () => {});
      return;
    }
    case 'invite': {
      const affCode = await app.accounts.invites.codeOf(id);
      const username = `u${app.ids.alphanumeric(9)}`;
      await app.accounts.register({ username, password: testPassword, affCode });
      model.purses[who] = (model.purses[who] ?? 0) + 600_001;
      return;
    }
    case 'transfer': {
      // Moved at once or, where the posting fails, by the job: the caller does not wait for it.
      const isPossible = given.quota >= 500_000 && given.quota <= (model.purses[who] ?? 0);
      await both(
        given.fault,
        async () => (await as(id)).self.transferInviteQuota({ quota: given.quota }),
        () => (isPossible ? undefined : fail()),
      );
      if (!isPossible) return;
      model.purses[who] = (model.purses[who] ?? 0) - given.quota;
      if (given.fault === 'before') model.owed.push([who, given.quota]);
      else model.post(who, given.quota, () => {});
      return;
    }
    case 'charge': {
      const held = { requestId: app.ids.uuid(), userId: id, tokenId: 0, amount: toQuota(0) };
      const hold = await app.ledger.hold(held).catch(() => undefined);
      expect(hold !== undefined).toBe((model.balances[who] ?? 0) >= 0);
      if (hold === undefined) return;
      const amount = toQuota(given.quota);
      await app.ledger.settle(hold, { amount, channelId: 0, log: null, rollup: null });
      return model.post(who, -given.quota, () => {});
    }
  }
}

/** What the gateway does by itself, by the minute or by the day. */
export async function runJobs({ app, clock, model, now }: World): Promise<void> {
  await app.billing.deferred.finish();
  await app.payments.sweep(never);
  await app.payments.sweepRefunds(never);
  await sumEverybody(app.storage, clock, never);
  model.sweep(now());
}
