/** Warnings of a low balance, by a real mail server and a real receiver of webhooks. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryCluster } from '../../../src/core/cluster/memory-cluster.ts';
import { createTestApp, openBeside } from '../../support/app.ts';
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
  receiver.answer((response) => sendJson(response, 200, {}));
  mails.mails.length = 0;
});

const signal = new AbortController().signal;
const minute = 60_000;

async function setUp(quota = 500) {
  const site = await createTestApp({ FETCH_ALLOW_HOSTS: '127.0.0.1' });
  const { app, clock, operator } = site;
  const set = (key: string, value: string | number) => operator.option.set({ key, value });
  await set('SMTPServer', '127.0.0.1');
  await set('SMTPPort', mails.port);
  await set('SMTPFrom', 'robot@site.test');
  await set('SystemName', 'Gate');
  const userId = await site.addUser('ann', { quota });
  await app.storage.users.update(userId, { email: 'ann@site.test' });
  const charged = async (process = app) => {
    process.notices.quota.note(userId);
    await process.notices.quota.run(signal);
  };
  /** As after a later charge; a user is noted at most once a minute. */
  const later = async (ms: number) => {
    clock.move(ms);
    await charged();
  };
  return { ...site, userId, set, charged, later };
}

describe('a warning of a low balance', () => {
  it('names user, balance and threshold, and links to the wallet at the address of the site', async () => {
    const { charged, set } = await setUp();
    await set('SiteLanguage', 'en');
    await set('ServerAddress', 'https://gate.test');
    await charged();
    const [mail] = mails.mails;
    expect(mail?.to).toEqual(['ann@site.test']);
    expect(mail?.headers['subject']).toBe('Gate: your balance is low');
    expect(mail?.body).toContain('user ann is $0.001, below the warning threshold of $0.002.');
    expect(mail?.body).toContain('<a href="https://gate.test/topup">https://gate.test/topup</a>');
  });

  it('has no link where the site has no address, whatever host a request named', async () => {
    const { charged } = await setUp();
    await charged();
    expect(mails.mails).toHaveLength(1);
    expect(mails.mails[0]?.body).not.toMatch(/https?:|<a/);
  });

  it('is sent at most once in two hours', async () => {
    const { charged, later } = await setUp();
    await charged();
    await later(2 * minute);
    await later(117 * minute);
    expect(mails.mails).toHaveLength(1);
    await later(2 * minute);
    expect(mails.mails).toHaveLength(2);
  });

  it.each(['sent', 'waiting'])(
    'is sent where one was %s while the clock was a year ahead',
    async (state) => {
      const { app, clock, userId, charged } = await setUp();
      const year = 365 * 24 * 60 * minute;
      clock.move(year);
      if (state === 'sent') await charged();
      else await app.storage.quotaWarnings.note([userId], clock.now() / 1000, clock.now() / 1000);
      mails.mails.length = 0;
      clock.move(-year);
      await charged();
      expect(mails.mails).toHaveLength(1);
    },
  );

  it('is sent once by processes that notice it at the same time', async () => {
    const { app, clock, userId, charged } = await setUp();
    const beside = await openBeside(app, createMemoryCluster(clock));
    for (const process of [app, beside]) process.notices.quota.note(userId);
    await Promise.all(
      [app, beside, app, beside].map((process) => process.notices.quota.run(signal)),
    );
    expect(mails.mails).toHaveLength(1);
    clock.move(10 * minute);
    await charged(app);
    beside.notices.quota.note(userId);
    await beside.notices.quota.run(signal);
    expect(mails.mails).toHaveLength(1);
  });

  it('keeps to the two hours after a restart', async () => {
    const { app, clock, userId, charged } = await setUp();
    await charged();
    clock.move(5 * minute);
    const restarted = await openBeside(app, createMemoryCluster(clock));
    restarted.notices.quota.note(userId);
    await restarted.notices.quota.run(signal);
    expect(mails.mails).toHaveLength(1);
  });

  it('waits while the mail server is away, also over a restart, and is then sent once', async () => {
    const { app, clock, set, charged } = await setUp();
    await set('SMTPPort', 1);
    await charged();
    expect(mails.mails).toHaveLength(0);
    await set('SMTPPort', mails.port);
    const restarted = await openBeside(app, createMemoryCluster(clock));
    await restarted.notices.quota.run(signal);
    expect(mails.mails).toHaveLength(0);
    clock.move(minute);
    await restarted.notices.quota.run(signal);
    await restarted.notices.quota.run(signal);
    expect(mails.mails).toHaveLength(1);
  });

  it('is given up after six tries', async () => {
    const { app, clock, set, charged } = await setUp();
    await set('SMTPPort', 1);
    await charged();
    for (let run = 0; run < 6; run += 1) {
      clock.move(60 * minute);
      await app.notices.quota.run(signal);
    }
    await set('SMTPPort', mails.port);
    clock.move(60 * minute);
    await app.notices.quota.run(signal);
    expect(mails.mails).toHaveLength(0);
  });

  it('is not sent when the balance rose meanwhile', async () => {
    const { app, userId, operator, charged } = await setUp();
    app.notices.quota.note(userId);
    await operator.user.grant({ user_id: userId, quota: 1_000_000 });
    await charged();
    expect(mails.mails).toHaveLength(0);
  });

  it('is not sent to a banned user', async () => {
    const { userId, operator, charged } = await setUp();
    await operator.user.manage({ id: userId, action: 'disable' });
    await charged();
    expect(mails.mails).toHaveLength(0);
  });

  it('is lost neither by a stop between the charge and the next run', async () => {
    const { app, clock, userId } = await setUp();
    const beside = await openBeside(app, createMemoryCluster(clock));
    beside.notices.quota.note(userId);
    await beside.notices.quota.save();
    await app.notices.quota.run(signal);
    expect(mails.mails).toHaveLength(1);
  });
});

describe('the settings of the user', () => {
  const own = {
    notify_type: 'email',
    webhook_url: '',
    webhook_secret: '',
    notification_email: '',
    accept_unset_model_ratio_model: false,
  };

  it('set another threshold and another address', async () => {
    const { app, userId, later } = await setUp(400_000);
    await later(minute);
    expect(mails.mails).toHaveLength(0);
    await app.accounts.updateSetting(userId, {
      ...own,
      quota_warning_threshold: 500_000,
      notification_email: 'ops@site.test',
    });
    await later(10 * minute);
    expect(mails.mails[0]?.to).toEqual(['ops@site.test']);
    expect(mails.mails[0]?.body).toContain('$0.80');
  });

  it('choose a webhook, signed, with its placeholders filled', async () => {
    const { app, userId, charged } = await setUp();
    const webhook_url = `${receiver.url}/hook`;
    await app.accounts.updateSetting(userId, {
      ...own,
      notify_type: 'webhook',
      webhook_url,
      webhook_secret: 'whsec',
    });
    await charged();
    const [request] = receiver.requests;
    expect(request?.json).toMatchObject({
      type: 'quota_exceed',
      values: ['ann', '$0.001', '$0.002'],
    });
    expect(request?.json['content']).toMatch(/ann.*\$0\.001.*\$0\.002/);
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer whsec',
      'x-webhook-signature': expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(mails.mails).toHaveLength(0);
  });

  it('keep a threshold that a change does not name', async () => {
    const { app, userId } = await setUp();
    await app.accounts.updateSetting(userId, { ...own, quota_warning_threshold: 7 });
    await app.accounts.updateSetting(userId, own);
    expect(JSON.parse((await app.storage.users.find(userId))?.setting ?? '')).toMatchObject({
      quota_warning_threshold: 7,
    });
  });
});

describe('a test notice', () => {
  it('is sent by the stored settings, three times in ten minutes', async () => {
    const { as, userId, clock } = await setUp();
    const client = await as(userId);
    for (let time = 0; time < 3; time += 1) await client.notice.sendTest();
    expect(mails.mails).toHaveLength(3);
    await expect(client.notice.sendTest()).rejects.toMatchObject({ code: 'test_notice_too_soon' });
    clock.move(10 * minute);
    await client.notice.sendTest();
    expect(mails.mails).toHaveLength(4);
  });

  it('reports what is wrong', async () => {
    const { app, as, userId, set } = await setUp();
    const client = await as(userId);
    await set('SMTPPort', 1);
    await expect(client.notice.sendTest()).rejects.toMatchObject({ code: 'mail_failed' });
    await app.storage.users.update(userId, { email: '' });
    await expect(client.notice.sendTest()).rejects.toMatchObject({ code: 'no_notice_address' });
  });
});
