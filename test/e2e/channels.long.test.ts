/** Making, editing and testing channels in a real browser. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, startConsoleSite } from '../support/console-site.ts';
import { atRest, overflow, violations, watchFaults } from '../support/page-checks.ts';
import { chooseLook, phone, photograph, variants, wide } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';

describe.skipIf(!hasTool('browser'))('channels in the console', () => {
  let site: ConsoleSite;
  let page: Page;
  let faults: readonly string[] = [];

  beforeAll(async () => {
    site = await startConsoleSite();
    page = await site.open({ viewport: wide, locale: 'zh-CN' });
    faults = watchFaults(page);
    await page.goto(`${site.url}/channel`);
  });
  afterAll(() => site?.close());

  it('edits the weight in place and refuses invalid values', async () => {
    const row = page.getByRole('row', { name: /main/ });
    await row.getByRole('button', { name: /权重/ }).click();
    await page.keyboard.type('-3');
    await page.keyboard.press('Enter');
    await page.getByText('权重必须是非负整数').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('25');
    await page.keyboard.press('Enter');
    await row.getByRole('button', { name: /权重: 25/ }).waitFor();
  });

  it('shows the fields a type needs, and creates a channel without a key if it needs none', async () => {
    await page.goto(`${site.url}/channel?new=1`);
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('combobox', { name: '类型' }).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Vertex');
    await page.getByRole('option', { name: 'Vertex AI' }).click();
    await drawer.getByPlaceholder('服务账号 JSON').waitFor();
    await drawer.getByRole('textbox', { name: '区域' }).waitFor();
    await drawer.getByRole('combobox', { name: '类型' }).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Ollama');
    await page.getByRole('option', { name: 'Ollama' }).click();
    await drawer.getByRole('textbox', { name: '名称', exact: true }).fill('本地模型');
    await drawer.getByRole('textbox', { name: '接口地址', exact: true }).fill(site.upstream.url);
    // Names that differ in case are two models; the same name is not added again.
    for (const name of ['llama3', 'Llama3', 'llama3']) await addModel(drawer, name);
    await drawer.getByRole('button', { name: '新建渠道' }).click();
    await drawer.waitFor({ state: 'hidden' });
    await page.getByRole('row', { name: /本地模型/ }).waitFor();
    const [made] = await site.api<readonly { name: string; models: string }[]>(
      'GET',
      '/api/channel/',
    );
    expect(made).toMatchObject({ name: '本地模型', models: 'llama3,Llama3' });
  });

  it('keeps the settings form in sync with its JSON, and shows errors at their field', async () => {
    await page.goto(`${site.url}/channel`);
    await page
      .getByRole('row', { name: /本地模型/ })
      .getByRole('button', { name: /^编辑/ })
      .click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('button', { name: '请求与回复' }).click();
    await drawer.getByRole('textbox', { name: '代理' }).fill('ftp://proxy.example');
    await drawer.getByRole('button', { name: '添加请求头' }).click();
    await drawer.getByLabel('第 1 个请求头的名称').fill('X-Title');
    await drawer.getByLabel('第 1 个请求头的值').fill('Turnpike');
    await drawer.getByRole('button', { name: '高级' }).click();
    // A plain text area until it is used.
    const raw = drawer.getByRole('textbox', { name: /渠道设置/ });
    await raw.click();
    await drawer.locator('.cm-content').waitFor();
    await expect
      .poll(async () => JSON.parse(await editorText(raw)))
      .toEqual({
        proxy: 'ftp://proxy.example',
        header_override: { 'X-Title': 'Turnpike' },
      });
    await drawer.getByRole('button', { name: '保存' }).click();
    await drawer
      .getByText(/必须是 http、https 或 socks5 地址/)
      .first()
      .waitFor();
    await expect
      .poll(() => drawer.getByRole('textbox', { name: '代理' }).getAttribute('aria-invalid'))
      .toBe('true');
    expect(await violations(page)).toEqual([]);
    // The other direction: the form shows the raw text.
    await raw.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('{"force_format":true,"mystery":1}');
    await expect.poll(() => drawer.getByRole('textbox', { name: '代理' }).inputValue()).toBe('');
    await expect
      .poll(() => drawer.getByRole('switch', { name: '强制规范格式' }).isChecked())
      .toBe(true);
    await drawer.getByRole('button', { name: '保存' }).click();
    await drawer.waitFor({ state: 'hidden' });
  });

  it('shows toasts above the buttons of a drawer, wide and on a phone', async () => {
    for (const size of [wide, phone]) {
      await page.setViewportSize(size);
      await page.goto(`${site.url}/channel`);
      if (size === phone) {
        await page.getByRole('button', { name: '本地模型 的更多操作' }).click();
        await page.getByRole('menuitem', { name: '编辑' }).click();
      } else {
        await page.getByRole('button', { name: '编辑 本地模型' }).click();
      }
      const save = page.getByRole('dialog').getByRole('button', { name: '保存' });
      await save.click();
      const toast = page.getByText('没有任何修改', { exact: true }).last();
      await toast.waitFor();
      const [box, bar] = [await toast.boundingBox(), await save.boundingBox()];
      if (box === null || bar === null) throw new Error('both are shown');
      expect(box.y + box.height).toBeLessThan(bar.y);
    }
    await page.setViewportSize(wide);
  });

  it('asks before the back button throws changes away', async () => {
    await page.goto(`${site.url}/token`);
    await page.getByRole('link', { name: '渠道' }).click();
    await page
      .getByRole('row', { name: /本地模型/ })
      .getByRole('button', { name: /^编辑/ })
      .click();
    const drawer = page.getByRole('dialog', { name: '编辑渠道' });
    await drawer.getByRole('textbox', { name: '名称', exact: true }).fill('改名');
    await page.goBack();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: '继续编辑' }).click();
    expect(new URL(page.url()).pathname).toBe('/channel');
    await drawer.getByRole('button', { name: '取消' }).click();
    await question.getByRole('button', { name: '放弃修改' }).click();
    await drawer.waitFor({ state: 'hidden' });
  });

  it('creates one channel with several keys, and shows that', async () => {
    await page.goto(`${site.url}/channel?new=1`);
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('textbox', { name: '名称', exact: true }).fill('多密钥');
    await drawer.getByRole('textbox', { name: '密钥', exact: true }).fill('sk-first\nsk-second');
    await drawer.getByText('一条渠道，轮流用').click();
    await drawer.getByRole('textbox', { name: '接口地址', exact: true }).fill(site.upstream.url);
    await addModel(drawer, 'gpt-many-keys');
    await drawer.getByRole('button', { name: '新建渠道' }).click();
    await drawer.waitFor({ state: 'hidden' });
    await page.getByRole('row', { name: /多密钥.*2 个密钥/ }).waitFor();
  });

  it('tests a channel by model, request and stream, and all channels with a result', async () => {
    const row = page.getByRole('row', { name: /多密钥/ });
    await row.getByRole('button', { name: /更多|操作/ }).click();
    await page.getByRole('menuitem', { name: /测试/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: '请求类型' }).click();
    await page.getByRole('option', { name: '/v1/chat/completions' }).click();
    await dialog.getByRole('switch', { name: '流式' }).check({ force: true });
    const before = site.upstream.requests.length;
    await dialog.getByRole('button', { name: /gpt-many-keys/ }).click();
    await dialog.getByText(/\d s$/).waitFor();
    expect(site.upstream.requests.at(-1)?.json).toMatchObject({
      model: 'gpt-many-keys',
      stream: true,
    });
    expect(site.upstream.requests.length).toBe(before + 1);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    // The focus returns to the button of the menu.
    const opener = row.getByRole('button', { name: /更多|操作/ });
    await expect
      .poll(() => opener.evaluate((button) => button === document.activeElement))
      .toBe(true);
    await page.getByRole('button', { name: '测试全部' }).click();
    const outcome = page.getByText(/^测试完成/);
    await outcome.waitFor();
    // Translated replies use Ollama's own API, which this upstream does not have.
    await expect.poll(() => outcome.textContent()).toBe('测试完成：2 条正常，1 条失败');
    await page.getByRole('button', { name: '只看失败的' }).click();
    await page.waitForURL('**/channel?status=failed');
    await row.waitFor({ state: 'detached' });
    const failed = page.getByRole('row', { name: /本地模型/ }).getByText('失败', { exact: true });
    await failed.waitFor();
    expect(await violations(page)).toEqual([]);
    await failed.hover();
    await page.getByRole('tooltip').filter({ hasText: '测试失败：' }).waitFor();
  });

  it.each(variants)(
    'the list fits and passes axe, %s, %s, %o',
    async (theme, language, viewport) => {
      await page.setViewportSize(viewport);
      await chooseLook(page, theme, language);
      await page.goto(`${site.url}/channel`);
      await page.getByText(language === 'zh' ? /2 个密钥$/ : /2 keys$/).waitFor();
      await atRest(page);
      await photograph(page, `channels-${theme}-${language}-${viewport.width}`);
      expect(await overflow(page)).toBe(0);
      expect(await violations(page)).toEqual([]);
    },
  );

  it('never threw and never violated the Content-Security-Policy', () => {
    expect(faults).toEqual([]);
  });
});

/** Adds a model name to the model list of the editor. */
async function addModel(drawer: Locator, name: string): Promise<void> {
  await drawer.getByRole('combobox', { name: '模型', exact: true }).fill(name);
  await drawer.page().keyboard.press('Enter');
}

/** The text of a code field. */
async function editorText(editor: Locator): Promise<string> {
  return (await editor.locator('.cm-line').allTextContents()).join('\n');
}
