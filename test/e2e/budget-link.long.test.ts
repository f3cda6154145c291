/**
 * A conversation that its budget stopped goes on by the link of the notice, for an owner who is
 * logged out (docs/rules/budgets.md#warnings).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { photograph, wide } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';

describe.skipIf(!hasTool('browser'))('the link of a notice', () => {
  let site: ConsoleSite;
  let mails: MailServer;
  beforeAll(async () => {
    mails = await startMailServer();
    site = await startConsoleSite();
    for (const [key, value] of Object.entries({
      SMTPServer: '127.0.0.1',
      SMTPPort: String(mails.port),
      SMTPFrom: 'gate@example.org',
      ServerAddress: site.url,
      SiteLanguage: 'en',
    }))
      await site.api('PUT', '/api/option/', { key, value });
    await site.api('PUT', '/api/user/setting', {
      notify_type: 'email',
      notification_email: 'root@example.org',
    });
  });
  afterAll(async () => {
    await site?.close();
    await mails?.close();
  });

  it('leads through the login to the budget, and the conversation goes on', async () => {
    await site.api('POST', '/api/turnpike/budgets', {
      name: 'talks',
      owner: 'user',
      owner_id: '1',
      each: 'conversation',
      period: 'total',
      amount: 4_000_000,
      most_requests: 1,
    });
    await site.chat(siteModel);
    const stopped = expect.objectContaining({ status: 429, code: 'fence_requests' });
    await expect(site.chat(siteModel)).rejects.toEqual(stopped);
    const [mail] = await mails.received(1);
    const link = /http:\/\/127\.0\.0\.1:\d+\/budget\?grant=\d+/.exec(mail?.body ?? '')?.[0];
    expect(link).toMatch(site.url);

    const owner = await site.open({ viewport: wide, locale: 'en-US' }, 'visitor');
    await owner.addInitScript(() => localStorage.setItem('i18nextLng', 'en'));
    await owner.goto(link ?? '');
    await owner.waitForURL((url) => url.pathname === '/login');
    await owner.locator('input[autocomplete="username"]').fill('root');
    await owner.locator('input[type="password"]').fill('a-long-password');
    await owner.locator('button[type="submit"]').click();
    const dialog = owner.getByRole('dialog', { name: 'talks' });
    await dialog.waitFor();
    expect(owner.url()).toBe(link);
    await photograph(owner, 'budget-link');
    await dialog.getByRole('button', { name: 'Add $5.00' }).click();
    await owner.getByText('Amount added').waitFor();
    await site.chat(siteModel);
    await expect(site.chat(siteModel)).rejects.toEqual(stopped);
  });
});
