/**
 * The console in a real browser with the built gateway, from the first start to an explained
 * charge.
 */
import OpenAI from 'openai';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { type BuiltGateway, startBuiltGateway } from '../support/built-gateway.ts';
import {
  atRest,
  overflow,
  violations,
  watchFaults,
  watchRequests,
} from '../support/page-checks.ts';
import { photograph, wide } from '../support/screenshots.ts';
import { patience } from '../support/slow.ts';
import { hasTool } from '../support/tools.ts';
import { chatReply, sendJson, startUpstream, type TestUpstream } from '../support/upstream.ts';

const account = { username: 'root', password: 'a-long-password' };
const model = 'gpt-4o';
const usage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 };
const screens = [
  '/detail',
  '/channel',
  '/token',
  '/log',
  '/statement',
  '/midjourney',
  '/task',
  '/topup',
  '/topup/history',
  '/playground',
  '/playground/image',
  '/playground/video',
  '/redemption',
  '/user',
  '/personal',
  '/setting',
  '/pricing',
  '/model_square',
  '/model_square_management',
];
/** gpt-4o by default: 1,000 × $2.50/1M + 500 × $10/1M. */
const charge = '$0.007500';

describe.skipIf(!hasTool('browser'))(
  'the console, from first start to an explained charge',
  { timeout: 120_000 * patience },
  () => {
    let upstream: TestUpstream;
    let gateway: BuiltGateway;
    let context: BrowserContext;
    let page: Page;
    let key = '';
    let faults: readonly string[] = [];

    beforeAll(async () => {
      upstream = await startUpstream();
      const completion = chatReply('Toll paid.', usage);
      upstream.answer((response, request) => {
        if (!request.path.endsWith('/models')) return completion(response, request);
        sendJson(response, 200, { object: 'list', data: [{ id: model, object: 'model' }] });
      });
      gateway = await startBuiltGateway();
      const browser = await openBrowser();
      context = await browser.newContext({
        viewport: wide,
        locale: 'zh-CN',
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      page = await context.newPage();
      watchRequests(page);
      faults = watchFaults(page);
    });
    afterAll(async () => {
      await context?.close();
      await gateway?.close();
      await upstream?.close();
    });

    it('redirects a new instance to the setup page, which takes the code of the terminal', async () => {
      await page.goto(gateway.url);
      await page.waitForURL('**/setup');
      await page.getByLabel('设置代码第 1 位').click();
      const typed = gateway.setupCode.toLowerCase();
      await page.keyboard.type(typed);
      await page.getByText('代码正确').waitFor();
      // Pasted with a blank, and brought by the link of the terminal, which leaves the address bar.
      await page.reload();
      await page.evaluate(
        (code) => navigator.clipboard.writeText(code),
        `${typed.slice(0, 3)} ${typed.slice(3)}`,
      );
      await page.getByLabel('设置代码第 1 位').click();
      await page.keyboard.press('Control+V');
      await page.getByText('代码正确').waitFor();
      await page.goto('about:blank');
      await page.goto(`${gateway.url}/setup#code=${typed.slice(0, 3)}-${typed.slice(3)}`);
      await page.getByText('代码正确').waitFor();
      expect(page.url()).toBe(`${gateway.url}/setup`);
      await page.getByLabel('系统名称').fill('Turnpike');
      await page.getByLabel('用户名').fill(account.username);
      await page.getByLabel('密码', { exact: true }).fill(account.password);
      await page.getByLabel('再输入一次').fill(account.password);
      await photograph(page, 'setup-light-zh');
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: '开始使用' }).click();
      // Whoever made the root user is logged in.
      await page.waitForURL('**/detail');
      await page.getByRole('button', { name: /的账号菜单$/ }).waitFor();
    });

    it('returns to the original page after the login', async () => {
      await page.getByRole('button', { name: /的账号菜单$/ }).click();
      await page.getByRole('menuitem', { name: '退出登录' }).click();
      await page.waitForURL('**/login');
      await page.goto(`${gateway.url}/channel?q=x`);
      await page.waitForURL('**/login');
      await page.getByRole('textbox', { name: '账号' }).fill(account.username);
      await page.getByLabel('密码', { exact: true }).fill('wrong-password');
      await page.getByRole('button', { name: '登录' }).click();
      await page.getByRole('alert').waitFor();
      await page.getByLabel('密码', { exact: true }).fill(account.password);
      await page.getByRole('button', { name: '登录' }).click();
      await page.waitForURL('**/channel?q=x');
    });

    it('shows the first steps on an empty site', async () => {
      await page.goto(gateway.url);
      await page.waitForURL('**/detail');
      await page.getByRole('heading', { name: '第一次调用，还差几步' }).waitFor();
      await page.getByRole('button', { name: '验证密钥' }).waitFor();
      await page.getByRole('link', { name: '填写完整表单' }).click();
      await page.getByRole('heading', { name: '新建渠道' }).waitFor();
    });

    it('adds a channel, models chosen from its upstream, and tests it', async () => {
      const drawer = page.getByRole('dialog', { name: '新建渠道' });
      await drawer.getByRole('textbox', { name: '名称', exact: true }).fill('OpenAI 主线');
      await drawer.getByRole('textbox', { name: '密钥', exact: true }).fill('sk-upstream');
      await drawer
        .getByRole('textbox', { name: '接口地址', exact: true })
        .fill(`${upstream.url}/v1`);
      await drawer.getByRole('button', { name: '从上游获取' }).click();
      const list = page.getByRole('dialog', { name: '选择上游的模型' });
      await list.getByRole('checkbox', { name: model }).waitFor();
      expect(await violations(page)).toEqual([]);
      await list.getByRole('button', { name: '选中新增' }).click();
      await list.getByRole('button', { name: '使用 1 个模型' }).click();
      await drawer.getByText(model, { exact: true }).waitFor();
      await drawer.getByRole('button', { name: '新建渠道' }).click();
      // Nothing is asked about an address that ends in /v1: this type adds no second one.
      await drawer.waitFor({ state: 'hidden' });
      const row = page.getByRole('row', { name: /OpenAI 主线/ });
      await row.getByRole('button', { name: /^测试/ }).click();
      await page.getByText('OpenAI 主线 响应正常', { exact: false }).waitFor();
      await row.getByText('已启用').waitFor();
    });

    it('creates a token and shows its key on a ticket', async () => {
      await page.goto(`${gateway.url}/token`);
      await page.getByRole('button', { name: '新建令牌' }).first().click();
      const drawer = page.getByRole('dialog');
      await drawer.getByRole('textbox', { name: '名称', exact: true }).fill('生产环境');
      await drawer.getByRole('button', { name: '$10', exact: true }).click();
      await drawer.getByRole('button', { name: '新建令牌' }).click();
      const code = page.getByRole('dialog').locator('code').first();
      await code.waitFor();
      key = (await code.textContent()) ?? '';
      expect(key).toMatch(/^sk-[0-9A-Za-z]{48}$/);
      await page.getByRole('button', { name: '复制密钥', exact: true }).click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(key);
      await page.getByRole('button', { name: '完成' }).click();
      await page.getByRole('row', { name: /生产环境/ }).waitFor();
    });

    it('explains the charge of a request made with the official client', async () => {
      const client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
      const stream = await client.chat.completions.create({
        model,
        stream: true,
        messages: [{ role: 'user', content: 'hello' }],
      });
      let text = '';
      for await (const chunk of stream) text += chunk.choices[0]?.delta?.content ?? '';
      expect(text).toBe('Toll paid.');

      await page.goto(`${gateway.url}/log?token=${encodeURIComponent('生产环境')}`);
      const row = page.locator('tr[data-row="0"]');
      await row.waitFor();
      await expect.poll(() => row.textContent()).toContain(charge);
      // By keyboard: Enter on a row, arrow keys, Escape closes it.
      await row.focus();
      await page.keyboard.press('Enter');
      const ticket = page.getByRole('region', { name: '这一笔怎么算' });
      await ticket.waitFor();
      await expect.poll(() => ticket.textContent()).toContain('1,000 × $2.50/1M');
      await expect.poll(() => ticket.textContent()).toContain('500 × $10.00/1M');
      await expect.poll(() => ticket.textContent()).toContain(`实扣${charge}`);
      await page.getByText('#1 OpenAI 主线').waitFor();
      await photograph(page, 'logs-light-zh');
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await ticket.waitFor({ state: 'detached' });
      expect(await page.evaluate(() => document.activeElement?.getAttribute('data-row'))).toBe('0');
    });

    it('opens the ticket of a cost by keyboard and restores the focus', async () => {
      const cost = page.locator('tr[data-row="0"]').getByRole('button', { name: /查看计算明细/ });
      await cost.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: '这一笔怎么算' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('region', { name: '这一笔怎么算' }).waitFor({ state: 'detached' });
      await expect
        .poll(() => cost.evaluate((button) => button === document.activeElement))
        .toBe(true);
    });

    it('keeps the filters in the URL', async () => {
      await page.goto(`${gateway.url}/log`);
      await page.getByRole('button', { name: '模型' }).click();
      // The filter field takes the focus once it is open; keys typed before would be lost.
      await page.locator('input:focus').waitFor();
      await page.keyboard.type('no-such-model');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/log?model=no-such-model');
      await page.getByText('没有符合条件的日志').waitFor();
      await page.reload();
      await page.getByText('没有符合条件的日志').waitFor();
      await page.getByRole('button', { name: '清除全部' }).click();
      await page.locator('tr[data-row="0"]').waitFor();
    });

    it('shows that a page does not exist', async () => {
      await page.goto(`${gateway.url}/no-such-page`);
      await page.getByRole('heading', { name: '页面不存在' }).waitFor();
      expect(await violations(page)).toEqual([]);
    });

    it('opens every screen', async () => {
      for (const path of screens) {
        await page.goto(gateway.url + path);
        await page.getByRole('heading').first().waitFor();
        // Not redirected to the login page.
        expect(new URL(page.url()).pathname).toBe(path);
        expect([path, await overflow(page)]).toEqual([path, 0]);
      }
    });

    it('redirects an expired login to the login page and clears it', async () => {
      await page.goto(`${gateway.url}/token`);
      // A call under way would notice it before the page is loaded again.
      await atRest(page);
      await context.clearCookies();
      await page.reload();
      await page.waitForURL('**/login?expired=true');
      await page.getByText('未登录或登录已过期').first().waitFor();
      expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
      expect(await violations(page)).toEqual([]);
      await photograph(page, 'login-light-zh');
    });

    it('never threw and never violated the Content-Security-Policy', () => {
      expect(faults).toEqual([]);
    });
  },
);
