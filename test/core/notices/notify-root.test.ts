/** Notices to the owner, by a real mail server and a real receiver of webhooks. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryCluster } from '../../../src/core/cluster/memory-cluster.ts';
import { createMailer } from '../../../src/core/notices/mail.ts';
import type { Notice } from '../../../src/core/notices/notice.ts';
import { createNoticeRoutes } from '../../../src/core/notices/notice-routes.ts';
import { createRootNotices } from '../../../src/core/notices/notify-root.ts';
import { createTestApp } from '../../support/app.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { sendJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';

let receiver: TestUpstream;
let mails: MailServer;
beforeAll(async () => {
  receiver = await startUpstream();
  mails = await startMailServer();
});
afterAll(async () => {
  await receiver.close();
  await mails.close();
});
beforeEach(() => {
  receiver.requests.length = 0;
  receiver.answer((response) => sendJson(response, 200, { success: true }));
  mails.mails.length = 0;
});

const setting = {
  notify_type: 'email',
  quota_warning_threshold: 1,
  webhook_url: '',
  webhook_secret: '',
  notification_email: '',
  accept_unset_model_ratio_model: false,
};

const notice: Notice = {
  type: 'channel_update_1_3',
  title: '通道',
  content: '{{value}}',
  values: ['a < b & "c"'],
};

async function setUp(chosen: Partial<typeof setting> = {}) {
  const { app, clock, operator, root } = await createTestApp({ FETCH_ALLOW_HOSTS: '127.0.0.1' });
  await operator.option.set({ key: 'SMTPServer', value: '127.0.0.1' });
  await operator.option.set({ key: 'SMTPPort', value: mails.port });
  await operator.option.set({ key: 'SMTPFrom', value: 'robot@site.test' });
  await app.accounts.updateSetting(root.id, { ...setting, ...chosen });
  /** Whether it was sent. */
  const notify = async (given: Partial<Notice> = {}) => {
    let was: boolean | undefined;
    app.notices.root.notify({ ...notice, ...given }, (isSent) => {
      was = isSent;
    });
    await app.notices.root.settled();
    return was;
  };
  return { app, clock, operator, root, notify };
}

const webhook = () => ({
  notify_type: 'webhook',
  webhook_url: `${receiver.url}/hook`,
  webhook_secret: 'whsec',
});

describe('the way', () => {
  it('is a mail to the address for notices, values as text in the HTML', async () => {
    const { notify } = await setUp({ notification_email: 'owner@site.test' });
    await notify();
    expect(mails.mails).toHaveLength(1);
    expect(mails.mails[0]).toMatchObject({ to: ['owner@site.test'], from: 'robot@site.test' });
    expect(mails.mails[0]?.headers['subject']).toBe('通道');
    expect(mails.mails[0]?.body).toContain('a &lt; b &amp; &quot;c&quot;');
  });

  it('is a mail to the account’s own address, else nothing', async () => {
    const { app, root, notify } = await setUp();
    await notify();
    expect(mails.mails).toHaveLength(0);
    await app.storage.users.update(root.id, { email: 'root@site.test' });
    await notify();
    expect(mails.mails[0]?.to).toEqual(['root@site.test']);
  });

  it('is a signed webhook where the owner chose that', async () => {
    const { notify } = await setUp(webhook());
    await notify();
    expect(receiver.requests[0]).toMatchObject({
      path: '/hook',
      json: { type: 'channel_update_1_3', content: 'a < b & "c"' },
    });
    expect(receiver.requests[0]?.headers['authorization']).toBe('Bearer whsec');
    expect(mails.mails).toHaveLength(0);
  });

  it('is the message pusher where the site has one', async () => {
    const { operator, notify } = await setUp(webhook());
    await operator.option.set({ key: 'MessagePusherAddress', value: `${receiver.url}/push/root` });
    await operator.option.set({ key: 'MessagePusherToken', value: 'tok' });
    await notify();
    expect(receiver.requests[0]).toMatchObject({
      path: '/push/root',
      json: { title: '通道', description: 'a < b & "c"', token: 'tok' },
    });
  });
});

describe.each([
  ['zh', /渠道.*已停用/],
  ['en', /Channel.*disabled/i],
])('a site in %s writes in its language', (SiteLanguage, words) => {
  const disable = async (chosen: Partial<typeof setting>) => {
    const { app, operator } = await setUp(chosen);
    await operator.option.set({ key: 'SiteLanguage', value: SiteLanguage });
    app.notices.channels.disabled({ id: 3, name: 'first' }, '401 bad key');
    await app.notices.root.settled();
  };

  it('mails', async () => {
    await disable({ notification_email: 'owner@site.test' });
    expect(mails.mails[0]?.headers['subject']).toMatch(words);
  });

  it('webhooks', async () => {
    await disable(webhook());
    expect(receiver.requests[0]?.json).toMatchObject({
      title: expect.stringMatching(words),
      content: expect.stringMatching(words),
    });
  });
});

describe('the limit', () => {
  it('is two of a type in any ten minutes', async () => {
    const { clock, notify } = await setUp(webhook());
    await notify();
    clock.move(300_000);
    expect(await notify()).toBe(true);
    expect(await notify()).toBe(false);
    await notify({ type: 'channel_update_1_1' });
    expect(receiver.requests.map(({ json }) => json['type'])).toEqual([
      notice.type,
      notice.type,
      'channel_update_1_1',
    ]);
    clock.move(300_000);
    await notify();
    await notify();
    expect(receiver.requests).toHaveLength(4);
  });

  it('counts what a type says it of by itself', async () => {
    const { notify } = await setUp(webhook());
    for (const subject of ['T1', 'T1', 'T1', 'T2']) await notify({ subject });
    await notify();
    expect(receiver.requests).toHaveLength(4);
    for (const { json } of receiver.requests)
      expect(Object.keys(json).sort()).toEqual(['content', 'timestamp', 'title', 'type', 'values']);
  });

  it('counts over all processes', async () => {
    const { app, clock, notify } = await setUp(webhook());
    const now = clock.now() / 1000;
    for (const place of [1, 2])
      await app.storage.locks.acquire(
        `notice.${notice.type}.${place}`,
        'another',
        now,
        now + 600,
        now + 900,
      );
    await notify();
    expect(receiver.requests).toHaveLength(0);
  });
});

it('a failure is only logged', async () => {
  const { operator, notify } = await setUp({ notification_email: 'owner@site.test' });
  await operator.option.set({ key: 'SMTPFrom', value: '' });
  expect(await notify()).toBe(false);
});

it('a mail server that is away for a moment loses no notice', async () => {
  const { app, operator, root } = await setUp({ notification_email: 'owner@site.test' });
  await operator.option.set({ key: 'SMTPPort', value: 1 });
  const { clock, ids, logger } = app;
  const options = app.site.options;
  const { leases } = createMemoryCluster(clock);
  const webhooks = { post: async () => {} };
  const routes = createNoticeRoutes({
    options,
    mailer: createMailer({ options, insecure: false }),
    webhooks,
  });
  const upstream = { collect: () => Promise.reject(new Error('not used')) };
  const sleep = async () =>
    void (await operator.option.set({ key: 'SMTPPort', value: mails.port }));
  const limit = { count: 2, minutes: 10 };
  const findRoot = () => app.storage.users.find(root.id);
  const notices = createRootNotices({
    clock: { sleep },
    ids,
    logger,
    options,
    leases,
    routes,
    upstream,
    limit,
    findRoot,
    findUser: app.storage.users.find,
  });
  notices.notify(notice);
  await notices.settled();
  expect(mails.mails).toHaveLength(1);
});

it('pending notices are aborted when the program stops', async () => {
  receiver.answer(() => undefined); // never answers
  const { app } = await setUp(webhook());
  app.notices.root.notify(notice);
  await expect.poll(() => receiver.requests.length).toBe(1);
  await app.notices.root.close();
});
