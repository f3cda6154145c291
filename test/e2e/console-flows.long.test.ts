/**
 * What the console is to be judged by, played from end to end on a real gateway: nothing turns
 * white, nothing typed is lost, what needs attention, work on a filter, the first answer, one field
 * for everything, the audit log, the playground. With `--screenshots` each in light and dark, in
 * both languages, with a picture of every step (docs/debugging.md).
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Translate } from '../../src/ui/i18n/translate.ts';
import { type BuiltGateway, startBuiltGateway } from '../support/built-gateway.ts';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';
import { atRest, watchFaults } from '../support/page-checks.ts';
import { keepsPhotographs, photograph, wide } from '../support/screenshots.ts';
import { patience } from '../support/slow.ts';
import { spoken } from '../support/spoken.ts';
import { hasTool } from '../support/tools.ts';
import { chatReply, chatStream, errorReply, sendJson } from '../support/upstream.ts';

const usage = { prompt_tokens: 20, completion_tokens: 86, total_tokens: 106 };
const second = 'gpt-4o-mini';
const password = 'a-long-password';
const first = ['dark', 'zh'] as const;
const looks = keepsPhotographs
  ? ([first, ['light', 'zh'], ['light', 'en'], ['dark', 'en']] as const)
  : ([first] as const);
const answer = `A charge is $t \\times p$:

\\[ c = \\sum_i t_i \\, p_i \\]

\`\`\`mermaid
flowchart LR
  hold["Hold"] --> settle["Settle"] --> ledger["Ledger"]
\`\`\`
`;

describe.skipIf(!hasTool('browser')).each(looks)(
  'the console, %s, %s',
  {
    timeout: 120_000 * patience,
  },
  (theme, language) => {
    let site: ConsoleSite;
    let page: Page;
    let say: Translate;
    let faults: readonly string[] = [];
    const look = {
      viewport: wide,
      locale: language === 'zh' ? 'zh-CN' : 'en-US',
    };
    const dress = (one: Page) =>
      one.addInitScript(
        ([themeName, languageName]) => {
          localStorage.setItem('theme-mode', themeName ?? '');
          localStorage.setItem('i18nextLng', languageName ?? '');
        },
        [theme, language] as const,
      );
    beforeAll(async () => {
      say = await spoken(language);
      site = await startConsoleSite();
      await site.api('POST', '/api/channel/', {
        name: 'pool',
        type: 1,
        base_url: site.upstream.url,
        models: `${siteModel},${second}`,
        key: Array.from({ length: 24 }, (_, index) => `sk-${index}`).join('\n'),
        tag: 'east',
      });
      page = await site.open(look);
      faults = watchFaults(page);
      await dress(page);
    });
    afterAll(() => site?.close());

    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const heading = (name: string) => page.getByRole('heading', { name, level: 1 });
    const shot = async (flow: string, step: string) => {
      await atRest(page).catch(() => {});
      await photograph(page, `flow-${flow}-${step}-${theme}-${language}`);
    };

    it('a screen whose gateway is away keeps the frame, and comes back by itself', async () => {
      await page.goto(`${site.url}/token`);
      await heading(say('token.title')).waitFor();
      await shot('01-never-white', '1-before');
      await page.context().setOffline(true);
      await page.getByRole('link', { name: say('shell.item.redemption') }).click();
      await page.getByRole('heading', { name: say('offline.title') }).waitFor();
      await page.getByRole('link', { name: say('shell.item.token') }).waitFor();
      await shot('01-never-white', '2-away');
      await page.context().setOffline(false);
      await heading(say('redemption.title')).waitFor();
      await shot('01-never-white', '3-back');
    });

    it('what was typed when the login expired is there after the next one', async () => {
      await page.goto(`${site.url}/token?new=1`);
      const name = () => page.getByRole('dialog').getByRole('textbox').first();
      await name().fill('the gate of the north');
      await shot('04-kept', '1-typed');
      await page.context().clearCookies({ name: 'session' });
      await page.getByRole('dialog').getByRole('button').last().click();
      await page.waitForURL('**/login?expired=true');
      await page.getByText(say('login.expired')).first().waitFor();
      await shot('04-kept', '2-expired');
      await page.getByRole('textbox', { name: say('login.account') }).fill('root');
      await page.locator('input[type="password"]').fill(password);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/token?new=1');
      await expect.poll(() => name().inputValue()).toBe('the gate of the north');
      await shot('04-kept', '3-again');
    });

    it('what needs attention stands on the first screen, and leads to its channels', async () => {
      site.upstream.answer(errorReply(401, { message: 'Incorrect API key provided' }));
      await page.goto(`${site.url}/channel?q=main`);
      await page.getByRole('row', { name: /main/ }).first().waitFor();
      const row = page.getByRole('row', { name: /main/ });
      await row.getByText(say('channel.test'), { exact: true }).click();
      await page.getByText('Incorrect API key provided').first().waitFor();
      site.upstream.answer(chatReply('ok', usage));
      await page.goto(`${site.url}/detail`);
      const inbox = page.getByRole('region', { name: say('detail.inbox') });
      await inbox.waitFor();
      const untested = say('detail.state.channels', {
        states: say('detail.state.untested', { count: 24 }),
      });
      const entry = inbox.getByRole('listitem').filter({ hasText: untested });
      await entry.waitFor();
      expect((await inbox.boundingBox())?.y).toBeLessThan(300);
      await shot('08-health', '1-inbox');
      await entry.getByRole('link').click();
      await page.waitForURL('**/channel?status=untested');
      await page.getByRole('row', { name: /pool/ }).first().waitFor();
      await shot('08-health', '2-untested');
    });

    it('all channels of a filter are changed at once, and changed back', async () => {
      await page.goto(`${site.url}/channel?tag=east`);
      await page.getByRole('row', { name: /pool/ }).first().waitFor();
      await page.getByRole('checkbox', { name: say('common.selectAll') }).check();
      await button(say('channel.bulk.all', { n: 24, count: 24 })).click();
      await shot('10-filter', '1-selected');
      await button(say('channel.bulk.change')).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(say('bulk.names')).fill('vip');
      await page.keyboard.press('Enter');
      await dialog.getByRole('button', { name: say('bulk.preview') }).click();
      await dialog.getByText(say('bulk.shown', { n: 24, matched: 24, count: 24 })).waitFor();
      await shot('10-filter', '2-shown-first');
      await dialog.getByRole('button', { name: say('bulk.apply', { n: 24, count: 24 }) }).click();
      await dialog.getByRole('button', { name: say('bulk.undo') }).waitFor();
      await shot('10-filter', '3-changed');
      await dialog.getByRole('button', { name: say('bulk.undo') }).click();
      await dialog.getByText(say('bulk.undone', { n: 24, count: 24 })).waitFor();
      await shot('10-filter', '4-undone');
    });

    it('one field finds a setting, the price of a model and a request', async () => {
      await page.goto(`${site.url}/token`);
      await heading(say('token.title')).waitFor();
      const search = async (text: string) => {
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox', { name: say('palette.title') }).fill(text);
        await page.getByRole('option').first().waitFor();
        await expect.poll(() => page.getByText(say('palette.searching')).count()).toBe(0);
      };
      await search('gpt-4o');
      await shot('13-one-field', '1-model');
      await page.keyboard.press('Escape');
      await search('ModelRatio');
      await shot('13-one-field', '2-setting');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/setting**');
      await page.getByRole('tab', { name: say('prices.tab.json') }).waitFor();
      await shot('13-one-field', '3-there');
      await site.chat(siteModel);
      const { items } = await site.api<{ items: readonly { readonly request_id: string }[] }>(
        'GET',
        '/api/log/self?type=2&page_size=1',
      );
      await search(items[0]?.request_id ?? '');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/log?**');
      await page.getByText(say('route.title')).first().waitFor();
      await shot('13-one-field', '4-request');
    });

    it('the audit log says who did what', async () => {
      await site.api('PUT', '/api/channel/', { id: 1, name: 'main', priority: 7 });
      await site.api('PUT', '/api/channel/', { id: 1, priority: 0 });
      await page.goto(`${site.url}/audit`);
      await heading(say('audit.title')).waitFor();
      await page.getByRole('row', { name: /root/ }).first().waitFor();
      await shot('14-audit', '1-sentences');
      await page.getByRole('searchbox').fill('main');
      await expect.poll(() => page.getByRole('row').filter({ hasText: 'pool' }).count()).toBe(0);
      await page.getByRole('row', { name: /main/ }).first().waitFor();
      await shot('14-audit', '2-searched');
    });

    it('the playground sets formulas and diagrams, and compares two models', async () => {
      site.upstream.answer(chatStream(answer.split(/(?<= )/), usage));
      await page.goto(`${site.url}/model_square`);
      await page.getByText(siteModel, { exact: true }).first().waitFor();
      await shot('16-playground', '1-models');
      await page.goto(`${site.url}/playground?model=${siteModel}`);
      const message = page.getByLabel(say('playground.input'), { exact: true });
      await message.fill('How is a request charged?');
      await shot('16-playground', '2-typed');
      await page.keyboard.press('Enter');
      await page.locator('[data-formula="display"] math').first().waitFor();
      const costs = page.getByText(/\$0\.0\d+/);
      await costs.first().waitFor();
      await shot('16-playground', '3-answered');
      await page.getByRole('combobox', { name: say('playground.compare') }).selectOption(second);
      await message.fill('And by you?');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('article[aria-busy="false"]').count()).toBe(4);
      await shot('16-playground', '4-compared');
    });

    it('a pasted key leads to the first answer in four clicks', async () => {
      let gateway: BuiltGateway | undefined;
      const { answer: give } = site.upstream;
      const reply = chatReply('Toll paid.', usage);
      give((response, request) =>
        request.path.endsWith('/models')
          ? sendJson(response, 200, { object: 'list', data: [{ id: 'gpt-4o' }, { id: 'new-1' }] })
          : reply(response, request),
      );
      const own = await site.open(look, 'visitor');
      try {
        gateway = await startBuiltGateway();
        await dress(own);
        const keep = async (step: string) => {
          await atRest(own);
          await photograph(own, `flow-12-first-answer-${step}-${theme}-${language}`);
        };
        await own.goto(`${gateway.url}/setup#code=${gateway.setupCode}`);
        await own.getByText(say('setup.code.right')).waitFor();
        await keep('1-setup');
        for (const field of await own.locator('input[type="password"]').all())
          await field.fill(password);
        await own.keyboard.press('Enter');
        await own.waitForURL('**/detail');
        await own
          .getByRole('textbox', { name: say('quickStart.key'), exact: true })
          .fill('sk-right');
        await own
          .getByRole('textbox', { name: say('quickStart.address') })
          .fill(`${site.upstream.url}/v1`);
        await keep('2-key');
        const clicked = [say('quickStart.verify'), say('quickStart.connect', { count: 1 })];
        for (const name of clicked) await own.getByRole('button', { name }).click();
        const link = own.getByRole('link', { name: say('quickStart.try', { model: 'gpt-4o' }) });
        await link.waitFor();
        await keep('3-connected');
        await link.click();
        await own.getByLabel(say('playground.input'), { exact: true }).fill('hello');
        await own.getByRole('button', { name: say('playground.send') }).click();
        await own.getByText('Toll paid.').waitFor();
        await keep('4-answered');
      } finally {
        await gateway?.close();
      }
    });

    it('threw nothing', () => expect(faults).toEqual([]));
  },
);
