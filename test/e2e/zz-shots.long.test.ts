import { afterAll, beforeAll, describe, it } from 'vitest';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';
import { chooseLook, photograph } from '../support/screenshots.ts';

describe('shots', { timeout: 400_000 }, () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await startConsoleSite();
    await site.chat(siteModel);
    await site.api('POST', '/api/user/', { username: 'somebody-longer-name', password: 'a-long-password' });
    const make = (body: object) => site.api('POST', '/api/turnpike/budgets', body);
    await make({ name: 'Ten dollars a day', owner: 'user', owner_id: '1', each: 'token', amount: 5_000_000, period: 'day' });
    await make({ owner: 'token', owner_id: '1', amount: 4200, period: 'week' });
    await make({ name: 'Passed', owner: 'user', owner_id: '1', amount: 10, period: 'month', at_end: 'warn' });
    await make({ name: 'The whole department, with a very long name here', owner: 'group', owner_id: 'default', amount: 50_000_000, period: 'total', models: 'gpt-4o,gpt-4.1' });
    await make({ name: 'off', owner: 'user', owner_id: '2', amount: 5_000_000, period: '5h', window: 'rolling', enabled: false });
    await make({ owner: 'user', owner_id: '2', each: 'conversation', amount: 2_500_000, period: 'day' });
    await site.chat(siteModel).catch(() => {});
  }, 120_000);
  afterAll(() => site?.close());
  it('shoots', async () => {
    const page = await site.open({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${site.url}/budget`);
    for (const [theme, language, width] of [['light', 'zh', 1440], ['dark', 'en', 768], ['light', 'en', 320], ['light', 'en', 1440]] as const) {
      await page.setViewportSize({ width, height: 900 });
      await chooseLook(page, theme, language);
      for (const [name, path, ready] of [
        ['list', '/budget', 'h1, h2'],
        ['new', '/budget?new=1', 'form'],
        ['edit', '/budget?edit=4', 'form'],
        ['token', '/token', 'h1, h2'],
        ['tokenedit', '/token?edit=1', 'form'],
        ['useredit', '/user?edit=2', 'form'],
        ['wallet', '/topup', 'h1, h2'],
      ] as const) {
        await page.goto(site.url + path);
        await page.locator(ready).first().waitFor();
        await page.waitForLoadState('networkidle');
        if (name === 'edit') await page.evaluate(() => { for (const b of document.querySelectorAll('form button[aria-expanded="false"]')) (b as HTMLElement).click(); });
        await page.waitForTimeout(400);
        if (name === 'tokenedit' || name === 'useredit' || name === 'edit') await page.evaluate(() => document.querySelector('form [class*=body]')?.scrollTo(0, 9999));
        await photograph(page, `${name}-${theme}-${language}-${width}`);
      }
    }
  });
});
