/**
 * Each read, write and posting of what moves money fails once, before it is done or after, as when
 * the process ends there. What follows by itself, or the same call again, makes it exact.
 */
import { afterEach, expect, test } from 'vitest';
import { actorFrom } from '../../../src/core/accounts/actor-from.ts';
import { createTestApp, testPassword } from '../../support/app.ts';
import { configureEpay, startEpayGateway } from '../../support/epay-gateway.ts';

const never = new AbortController().signal;
const points = ['before', 'after'] as const;
type Point = (typeof points)[number];
/** More than any flow has. */
const mostSteps = 50;

type Call = (...args: never[]) => Promise<unknown>;

/** A step of the database that fails once: the one with this number. */
function openFaults() {
  let left = -1;
  let point: Point = 'before';
  let failed = '';
  const around = (name: string, call: Call): Call => {
    return async (...args) => {
      const isIt = left === 0;
      if (left >= 0) left -= 1;
      if (isIt) failed = name;
      if (isIt && point === 'before') throw new Error(`before ${name}`);
      const result = await call(...args);
      if (isIt) throw new Error(`after ${name}`);
      return result;
    };
  };
  return {
    /** Replaces the methods of `owner` by such that may fail. */
    wrap: (name: string, owner: object, methods: readonly string[] = Object.keys(owner)) => {
      const calls = owner as Record<string, Call>;
      for (const method of methods) {
        const call = calls[method];
        if (typeof call === 'function')
          calls[method] = around(`${name}.${method}`, call.bind(owner) as Call);
      }
    },
    arm: (step: number, at: Point) => {
      [left, point, failed] = [step, at, ''];
    },
    /** The name of the step that failed; empty: the flow has no such step. */
    disarm: () => {
      left = -1;
      return failed;
    },
  };
}

async function openSite() {
  const site = await createTestApp();
  const { app, operator, clock, root } = site;
  const gateway = await startEpayGateway();
  await configureEpay(operator, gateway);
  const gifts = { QuotaForNewUser: 11, QuotaForInvitee: 7, QuotaForInviter: 600_000 };
  for (const [key, value] of Object.entries(gifts)) await operator.option.set({ key, value });
  const userId = await site.addUser('ann');
  const faults = openFaults();
  const { storage, ledger } = app;
  for (const name of [
    'topUps',
    'redemptions',
    'users',
    'ledger',
    'deferredPostings',
    'auditLogs',
  ] as const)
    faults.wrap(name, storage[name]);
  faults.wrap('storage', storage, ['transaction']);
  faults.wrap('ledger', ledger, ['post']);
  const actor = async () => actorFrom(await app.accounts.own.get(userId), '');
  const place = async () => {
    const form = await app.payments.epay.order(
      await actor(),
      { amount: 1, topUpCode: '' },
      'alipay',
    );
    gateway.submit(form.data);
    return form.data['out_trade_no'] ?? '';
  };
  const pay = async (tradeNo: string) => app.payments.epay.notice(gateway.notice(tradeNo));
  const inviteBob = async () => {
    const affCode = await app.accounts.invites.codeOf(userId);
    return () => app.accounts.register({ username: 'bob', password: testPassword, affCode });
  };
  return {
    ...{ app, operator, clock, root, gateway, faults, actor, place, pay, inviteBob },
    user: () => app.accounts.own.get(userId),
    quota: async () => (await ledger.balance(userId)).quota,
  };
}
type Site = Awaited<ReturnType<typeof openSite>>;

interface Flow {
  /** What is there before, and the call in which a step fails. */
  prepare(site: Site): Promise<() => Promise<unknown>>;
  /** Besides the same call again. */
  readonly recover?: (site: Site) => Promise<unknown>;
  /** Whether the call is made again; else it must not be. */
  readonly isMissing?: (site: Site) => Promise<boolean>;
  readonly sees: (site: Site) => Promise<unknown>;
  readonly expected: unknown;
}

const quota = ({ quota: read }: Site) => read();
const credited = 11 + 500_000;

const flows: readonly (readonly [string, Flow])[] = [
  [
    'a notice',
    {
      prepare: async ({ place, pay }) => {
        const tradeNo = await place();
        return () => pay(tradeNo);
      },
      sees: quota,
      expected: credited,
    },
  ],
  [
    'the look at an order whose notice was lost',
    {
      prepare: async ({ app, clock, gateway, place }) => {
        gateway.markPaid(await place());
        clock.move(100_000_000);
        return () => app.payments.sweep(never);
      },
      sees: quota,
      expected: credited,
    },
  ],
  [
    'an order completed by hand',
    {
      prepare: async ({ app, root, place }) => {
        const tradeNo = await place();
        return () => app.payments.topUps.complete(root, tradeNo);
      },
      isMissing: async (site) => (await site.quota()) < credited,
      sees: quota,
      expected: credited,
    },
  ],
  [
    'a partial refund',
    {
      prepare: async ({ app, root, gateway, place, pay }) => {
        const tradeNo = await place();
        gateway.markPaid(tradeNo);
        await pay(tradeNo);
        const input = { tradeNo, money: '3.65', noted: false, reason: '' };
        return () => app.payments.refund(root, input);
      },
      isMissing: async (site) => (await site.quota()) === credited,
      recover: ({ app }) => app.payments.sweepRefunds(never),
      sees: quota,
      expected: credited - 250_000,
    },
  ],
  [
    'a code that is redeemed',
    {
      prepare: async ({ app, operator, actor }) => {
        const [key = ''] = await operator.redemption.create({ name: 'x', quota: 5, count: 1 });
        const payer = await actor();
        return () => app.payments.redeem(payer, key);
      },
      isMissing: async (site) => (await site.quota()) === 11,
      sees: quota,
      expected: 16,
    },
  ],
  [
    'a registration with an invite',
    {
      prepare: ({ inviteBob }) => inviteBob(),
      isMissing: async ({ app }) => (await app.storage.users.findByUsername('bob')) === null,
      recover: ({ app }) => app.billing.deferred.finish(),
      sees: async ({ app, user }) => {
        const { affQuota, affCount } = await user();
        return [(await app.storage.users.findByUsername('bob'))?.quota, affQuota, affCount];
      },
      expected: [18, 600_000, 1],
    },
  ],
  [
    'invite earnings that are moved',
    {
      prepare: async ({ app, actor, inviteBob }) => {
        await (await inviteBob())();
        const owner = await actor();
        return () => app.accounts.invites.transfer(owner, 500_000);
      },
      isMissing: async ({ user }) => (await user()).affQuota === 600_000,
      recover: ({ app }) => app.billing.deferred.finish(),
      sees: async (site) => [await site.quota(), (await site.user()).affQuota],
      expected: [credited, 100_000],
    },
  ],
];

let open: Site | undefined;
afterEach(async () => {
  await open?.app.close();
});

test.each(flows)('%s', async (_, flow) => {
  const failed: string[] = [];
  for (const point of points)
    for (let step = 0; step < mostSteps; step += 1) {
      const site = await openSite();
      open = site;
      const call = await flow.prepare(site);
      site.faults.arm(step, point);
      await call().catch(() => {});
      const name = site.faults.disarm();
      const isRepeated = (await flow.isMissing?.(site)) ?? true;
      if (isRepeated) await call();
      await flow.recover?.(site);
      const where = `${point} ${name}`;
      expect([where, await flow.sees(site)]).toEqual([where, flow.expected]);
      expect(await site.app.billing.verify()).toMatchObject({ ok: true });
      await site.app.close();
      open = undefined;
      if (name === '') break;
      failed.push(where);
    }
  expect(failed).toContain('after ledger.post');
  expect(failed.length).toBeLessThan(2 * mostSteps);
});
