// Covers src/ui/routes/model-square-management.
/**
 * The model square and its management in a real browser: cards, filters, details, links, entries,
 * hostile content.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, startConsoleSite } from '../support/console-site.ts';
import { atRest, violations } from '../support/page-checks.ts';
import { chooseLook, phone, photograph, variants, wide } from '../support/screenshots.ts';
import { patience } from '../support/slow.ts';
import { hasTool } from '../support/tools.ts';
import { smallTargets } from '../support/touch-targets.ts';

const svg = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#43B38B"/></svg>')}`;
/** One pixel. */
const logo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const longName = `organisation/${'a-very-long-model-name-'.repeat(6)}end`;
const hostile = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';

interface Sample {
  readonly model: string;
  readonly manufacturer: string;
  readonly description: string;
  readonly english: string;
  readonly context: string;
  readonly tags: string;
  readonly more?: object;
}
const samples: readonly Sample[] = [
  {
    model: 'gpt-5.1',
    manufacturer: 'OpenAI',
    context: '400K',
    tags: '推理,视觉,工具',
    description:
      '通用旗舰。按难度自动决定想多久，长文档和代码都稳，适合作为默认模型；需要更快的回复时可以关闭思考，或者改用同系列的小模型。',
    english:
      'A general flagship. It decides how long to think by itself, and keeps steady over long documents and code; a good default. Turn thinking off for faster replies.',
  },
  {
    model: 'claude-sonnet-4-5',
    manufacturer: 'Anthropic',
    context: '1M',
    tags: '视觉,工具',
    description: '编程、写作与工具调用的均衡之选，支持提示词缓存。',
    english: 'Balanced for coding, writing and tools, with prompt caching.',
  },
  {
    model: 'deepseek-v3.2',
    manufacturer: 'DeepSeek',
    context: '128K',
    tags: '工具',
    description: '性价比高的开源通用模型，中文自然。',
    english: 'An open general model of good value.',
    more: { specification: ['MoE', '>100B'] },
  },
  {
    model: 'gpt-image-1',
    manufacturer: 'OpenAI',
    context: '32K',
    tags: '绘图',
    description: '文生图与改图。',
    english: 'Images from text, and edits.',
    more: { type: '图像', publish_time: '2026-04-20' },
  },
  {
    model: 'wan2.1-t2v',
    manufacturer: '阿里云',
    context: '8K',
    tags: '文生视频,竖屏',
    description: '文本生成视频。',
    english: 'Videos from text.',
    more: { type: '视频', specification: ['10-50B'] },
  },
  {
    model: 'glm-4.6-flash',
    manufacturer: '智谱',
    context: '128K',
    tags: '工具',
    description: '免费的小模型。',
    english: 'A small model, free of charge.',
    more: { price_type: 1, specification: ['<10B'] },
  },
  {
    model: 'gpt-4-0314',
    manufacturer: 'OpenAI',
    context: '8K',
    tags: '工具',
    description: '已停用的旧版本。',
    english: 'An old version.',
    more: { status: 2, publish_time: '2023-03-14' },
  },
];
const englishTags: Readonly<Record<string, string>> = {
  推理: 'Reasoning',
  视觉: 'Vision',
  工具: 'Tools',
  绘图: 'Drawing',
  文生视频: 'Text to video',
  竖屏: 'Portrait',
};

describe.skipIf(!hasTool('browser'))('the model square', { timeout: 180_000 * patience }, () => {
  let site: ConsoleSite;
  let page: Page;
  const problems: string[] = [];

  const add = (model: string, more: object = {}) =>
    site.api('POST', '/api/model_square_management/add', {
      model,
      icon: svg,
      description: 'd',
      type: '对话',
      tags: '工具',
      manufacturer: 'OpenAI',
      price_type: 2,
      context: '128K',
      specification: ['>100B'],
      publish_time: '2026-10-01',
      status: 1,
      ...more,
    });
  const card = (name: string) =>
    page.locator('li').filter({ has: page.getByRole('link', { name, exact: true }) });
  const cards = () => page.locator('main ul > li h2').allInnerTexts();
  const check = async (target: Page, name: string, isPhone: boolean) => {
    await atRest(target);
    await photograph(target, `${name}`);
    const found = await violations(target);
    const overflow = await target.evaluate(() =>
      Math.max(
        ...['html', 'main']
          .map((name) => document.querySelector(name))
          .map((box) => (box ? box.scrollWidth - box.clientWidth : 0)),
      ),
    );
    const small = isPhone ? await smallTargets(target, 'main') : [];
    expect({ name, overflow, found, small }).toEqual({ name, overflow: 0, found: [], small: [] });
  };

  beforeAll(async () => {
    site = await startConsoleSite();
    const option = (key: string, value: unknown) =>
      site.api('PUT', '/api/option/', { key, value: JSON.stringify(value) });
    await option('GroupRatio', { default: 1, vip: 0.8, official: 1.5 });
    await option('UserUsableGroups', { default: '默认', vip: 'VIP', official: '官方直连' });
    await option('ModelPrice', { 'gpt-image-1': 0.04, 'wan2.1-t2v': 0.28, 'glm-4.6-flash': 0 });
    page = await site.open({ viewport: wide, permissions: ['clipboard-read', 'clipboard-write'] });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on(
      'console',
      (message) =>
        message.text().includes('Content Security Policy') && problems.push(message.text()),
    );
  });
  afterAll(() => site?.close());

  it('lists the enabled models before anybody describes them, for visitors too', async () => {
    const visitor = await site.open({ viewport: wide, locale: 'en-US' }, 'visitor');
    await visitor.goto(`${site.url}/model_square`);
    await visitor.getByRole('link', { name: 'gpt-4o', exact: true }).waitFor();
    const facts = await visitor.locator('main ul > li').first().innerText();
    expect(facts).toContain('输入文本、图片、文件');
    expect(facts).toContain('2027-01-14 下线');
    await photograph(visitor, 'model-square-facts-zh-1440');
    await expect
      .poll(() =>
        visitor
          .getByRole('navigation')
          .getByRole('link', { name: '模型广场' })
          .getAttribute('aria-current'),
      )
      .toBe('page');
    expect(await visitor.locator('aside').getByRole('link').allInnerTexts()).not.toContain('渠道');
    await visitor.context().close();
  });

  it('has entries added, edited, disabled and deleted by administrators', async () => {
    await page.goto(`${site.url}/model_square_management`);
    await page.getByText('模型广场还没有条目').waitFor();
    await page.getByRole('button', { name: '添加模型' }).click();
    const drawer = page.getByRole('dialog', { name: '添加模型' });
    await drawer.getByRole('button', { name: '添加模型' }).click();
    for (const name of ['描述', '上下文', '发布日期', '模型名称']) {
      await expect
        .poll(() => drawer.getByLabel(name, { exact: false }).first().getAttribute('aria-invalid'))
        .toBe('true');
    }
    await expect.poll(() => drawer.getByText('请填写此项').count()).toBeGreaterThanOrEqual(8);
    await photograph(page, 'model-management-errors-zh-1440');

    await drawer.getByLabel('模型名称').fill('gpt-4o');
    await expect.poll(() => drawer.getByLabel(/^厂商/).inputValue()).toBe('OpenAI');
    await expect.poll(() => drawer.getByLabel(/^类型/).inputValue()).toBe('对话');
    await drawer.getByLabel('图片地址').fill('javascript:alert(1)');
    await drawer.getByLabel(/^描述/).fill('多模态模型');
    await drawer.getByLabel('英文描述').fill('A multimodal model');
    const tags = drawer.getByLabel(/^标签/);
    await tags.fill('视觉，工具调用');
    await page.keyboard.press('Enter');
    const english = drawer.getByLabel(/^英文标签/);
    await english.fill('Vision,Function calling');
    await page.keyboard.press('Enter');
    await drawer.getByLabel('发布日期').fill('2024-05-13');
    await drawer.getByLabel(/^上下文/).fill('128k');
    await drawer.getByLabel(/^规格/).fill('>100B');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await drawer.getByRole('button', { name: '添加模型' }).click();
    await drawer.getByText('请填写图片地址').waitFor();
    await drawer
      .locator('input[type="file"]')
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo });
    await page.getByText('模型 Logo 上传成功').waitFor();
    await expect.poll(() => drawer.getByLabel('图片地址').inputValue()).toMatch(/^\/uploads\//);
    await drawer.getByRole('button', { name: '添加模型' }).click();
    await drawer.waitFor({ state: 'hidden' });
    await page.getByText('添加成功').waitFor();
    const stored = await site.api<{ icon: string }[]>(
      'POST',
      '/api/model_square_management/model_list',
      {},
    );
    expect(
      (await page.request.get(site.url + (stored[0]?.icon ?? ''))).headers()['content-type'],
    ).toBe('image/png');
    expect(stored).toMatchObject([
      {
        model: 'gpt-4o',
        tags: ['视觉', '工具调用'],
        tags_en: ['Vision', 'Function calling'],
        context: '128K',
        type_en: 'chat',
      },
    ]);

    const row = page.getByRole('row').filter({ hasText: 'gpt-4o' });
    await row.getByRole('button', { name: /编辑/ }).click();
    const edit = page.getByRole('dialog', { name: '编辑模型' });
    expect(await edit.getByLabel('模型名称').isDisabled()).toBe(true);
    await edit.getByLabel(/^上下文/).fill('1M');
    await edit.getByRole('button', { name: '保存' }).click();
    await row.getByText('1M').waitFor();
    const menu = row.getByRole('button', { name: /更多操作|gpt-4o/ }).last();
    await menu.click();
    await page.getByRole('menuitem', { name: '停用' }).click();
    await row.getByText('停用').waitFor();
    await menu.click();
    await page.getByRole('menuitem', { name: '启用' }).waitFor();
    expect(await page.getByRole('menuitem', { name: '删除' }).count()).toBe(0);
    await page.getByRole('menuitem', { name: '启用' }).click();
    await row.getByText('启用').waitFor();
    await menu.click();
    await page.getByRole('menuitem', { name: '删除' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '删除模型' }).click();
    await page.getByText('模型广场还没有条目').waitFor();
  });

  it('shows entries with price, and what is disabled or hostile without harm', async () => {
    // What nobody described would stand between the entries.
    await site.api('PUT', '/api/channel/', { id: 1, status: 2 });
    const served = samples
      .map(({ model }) => model)
      .filter((model) => model !== 'deepseek-v3.2' && model !== 'wan2.1-t2v');
    await site.api('POST', '/api/channel/', {
      name: 'videos',
      type: 17,
      key: 'sk-v',
      base_url: site.upstream.url,
      group: 'default,vip',
      models: 'wan2.1-t2v',
    });
    await site.api('POST', '/api/channel/', {
      name: 'square',
      type: 1,
      key: 'sk-b',
      base_url: site.upstream.url,
      group: 'default,vip',
      models: served.join(','),
    });
    for (const { model, manufacturer, description, english, context, tags, more } of samples) {
      const tags_en = tags.split(',').map((tag) => englishTags[tag] ?? tag);
      const icon = `/missing-${encodeURIComponent(model)}.png`;
      await add(model, {
        icon,
        manufacturer,
        description,
        description_en: english,
        context,
        tags,
        tags_en,
        publish_time: '2026-11-02',
        ...more,
      });
    }
    await add(longName, {
      description: hostile,
      tags: [`<b>${'x'.repeat(30)}</b>`],
      manufacturer: '<i>Evil</i>',
      publish_time: '2024-01-01',
    });
    await page.goto(`${site.url}/model_square`);
    await card('gpt-5.1').waitFor();
    expect((await cards()).at(-1)).toBe('gpt-4-0314');
    await expect.poll(() => card('gpt-5.1').innerText()).toMatch(/\$1\.25.*\$10\.00/s);
    await expect.poll(() => card('gpt-image-1').innerText()).toContain('$0.04');
    await expect.poll(() => card('glm-4.6-flash').innerText()).toContain('免费');
    await expect.poll(() => card('deepseek-v3.2').innerText()).toContain('暂不可用');
    const old = card('gpt-4-0314');
    await expect.poll(() => old.innerText()).toContain('不可用');
    await expect.poll(() => old.getByRole('link').count()).toBe(1);
    expect(
      await old.locator('h2 a').evaluate((link) => getComputedStyle(link).textDecorationLine),
    ).toBe('line-through');
    await expect.poll(() => card(longName).innerText()).toContain('<img src=x');
    expect(await page.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined();

    const links = async (name: string) =>
      new URL((await card(name).getByRole('link').last().getAttribute('href')) ?? '', site.url);
    const chat = await links('gpt-5.1');
    expect([
      chat.pathname,
      chat.searchParams.get('model'),
      chat.searchParams.get('enable_group'),
    ]).toEqual(['/playground', 'gpt-5.1', '["default","vip"]']);
    expect((await links('gpt-image-1')).pathname).toBe('/playground/image');
    const video = await links('wan2.1-t2v');
    expect([video.pathname, video.searchParams.get('tag')]).toEqual([
      '/playground/video',
      '文生视频',
    ]);
  });

  it('filters by the sidebar and by name, in the address, with counts', async () => {
    await page.goto(`${site.url}/model_square`);
    const filters = page.getByRole('region', { name: '筛选' });
    await filters.getByRole('checkbox', { name: /OpenAI/ }).click();
    await expect.poll(cards).toEqual(['gpt-5.1', 'gpt-image-1', 'gpt-4-0314']);
    expect(
      await filters
        .getByRole('checkbox', { name: /对话/ })
        .evaluate((box) => box.closest('div')?.parentElement?.innerText),
    ).toContain('2');
    await filters.getByRole('checkbox', { name: /对话/ }).click();
    await filters.getByRole('radio', { name: /128K/ }).click();
    await expect.poll(cards).toEqual(['gpt-5.1']);
    expect(new URL(page.url()).search).toContain('vendor=OpenAI');
    await page.goBack();
    await expect.poll(cards).toEqual(['gpt-5.1', 'gpt-4-0314']);
    await page.getByRole('button', { name: '清除全部' }).click();
    await expect.poll(async () => (await cards()).length).toBe(8);
    await page.keyboard.press('/');
    await page.keyboard.type('VIDEO-none');
    await page.getByText('没有符合条件的模型').waitFor();
    await page.getByRole('searchbox').fill('wan');
    await expect.poll(cards).toEqual(['wan2.1-t2v']);
    // What an input method is still composing is not searched.
    await page.getByRole('searchbox').dispatchEvent('compositionstart');
    await page.getByRole('searchbox').fill('gpt');
    await page.waitForTimeout(450);
    await expect.poll(() => cards()).toEqual(['wan2.1-t2v']);
    await page.getByRole('searchbox').dispatchEvent('compositionend');
    await expect.poll(async () => (await cards()).length).toBe(3);
    await page.getByRole('button', { name: '隐藏筛选' }).click();
    await filters.waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByRole('button', { name: '显示筛选' }).click();
    await filters.waitFor();
  });

  it('opens details by the address and by keyboard, with prices of each group and a call to copy', async () => {
    await page.goto(`${site.url}/model_square?model=gpt-5.1`);
    const drawer = page.getByRole('dialog', { name: 'gpt-5.1' });
    await drawer.waitFor();
    const rows = await drawer.getByRole('row').allInnerTexts();
    expect(rows.map((row) => row.replaceAll(/\s+/g, ' ').trim())).toEqual([
      '分组 输入 缓存读 输出',
      'default ×1 （你的分组） $1.25 $0.125 $10.00',
      'official ×1.5 不可用 $1.875 $0.1875 $15.00',
      'vip ×0.8 $1.00 $0.10 $8.00',
    ]);
    const text = drawer.locator('p').filter({ hasText: '通用旗舰' });
    const lines = () => text.evaluate((node) => Math.round(node.clientHeight / 22));
    expect(await lines()).toBe(2);
    await drawer.getByRole('button', { name: '展开' }).click();
    await expect.poll(lines).toBeGreaterThan(2);
    await drawer.getByRole('button', { name: '复制示例' }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toContain('"model":"gpt-5.1"');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).search).toBe('');

    const link = page.getByRole('link', { name: 'claude-sonnet-4-5', exact: true });
    await link.focus();
    await page.keyboard.press('Enter');
    const other = page.getByRole('dialog', { name: 'claude-sonnet-4-5' });
    await other.getByText('x-api-key').waitFor();
    await page.goBack();
    await other.waitFor({ state: 'hidden' });
    await expect.poll(() => link.evaluate((node) => node === document.activeElement)).toBe(true);

    await page.goto(`${site.url}/model_square?model=gpt-4-0314`);
    const old = page.getByRole('dialog', { name: 'gpt-4-0314' });
    await old.getByText('管理员已停用该模型').waitFor();
    expect(await old.getByRole('link').count()).toBe(0);
    await page.goto(`${site.url}/model_square?model=nobody`);
    await page.getByText('没有这个模型').waitFor();
  });

  it('names the failure and tries again', async () => {
    const broken = await site.open({ viewport: wide });
    await broken.route('**/api/model_list', (route) =>
      route.fulfill({ status: 500, json: { success: false, message: 'no' } }),
    );
    await broken.goto(`${site.url}/model_square`);
    await broken.getByText('模型列表加载失败').waitFor();
    await broken.unrouteAll({ behavior: 'wait' });
    await broken.getByRole('button', { name: '重试' }).click();
    await broken.getByRole('link', { name: 'gpt-5.1', exact: true }).waitFor();
    await broken.context().close();
  });

  it('looks right in both languages and themes, wide and on a phone, and passes axe', async () => {
    for (const [theme, language, viewport] of variants) {
      await page.setViewportSize(viewport);
      await chooseLook(page, theme, language);
      const isPhone = viewport === phone;
      const look = `${theme}-${language}-${viewport.width}`;
      await page.goto(`${site.url}/model_square`);
      await card('gpt-5.1').waitFor();
      await check(page, `model-square-${look}`, isPhone);
      if (language === 'zh') {
        await page.goto(`${site.url}/model_square?model=gpt-5.1`);
        await page.getByRole('dialog', { name: 'gpt-5.1' }).getByRole('table').waitFor();
        await check(page, `model-drawer-${look}`, false);
      }
      await page.goto(`${site.url}/model_square_management`);
      await page.getByText('gpt-5.1').first().waitFor();
      await check(page, `model-management-${look}`, isPhone);
      if (language === 'en') {
        await page.goto(`${site.url}/model_square_management?edit=gpt-5.1`);
        await page.getByRole('dialog').getByRole('textbox').nth(3).waitFor();
        await check(page, `model-form-${look}`, false);
      }
    }
    await page.goto(`${site.url}/model_square`);
    await page.getByRole('button', { name: '筛选' }).click();
    await page
      .getByRole('dialog', { name: '筛选' })
      .getByRole('checkbox', { name: /OpenAI/ })
      .click();
    await page.getByRole('button', { name: '查看 3 个模型' }).waitFor();
    await photograph(page, 'model-filters-dark-zh-390');
    await page.getByRole('button', { name: '查看 3 个模型' }).click();
    await expect.poll(cards).toEqual(['gpt-5.1', 'gpt-image-1', 'gpt-4-0314']);
    await page.setViewportSize(wide);
  });

  it('shows thousands of models as their end comes near', async () => {
    const models = Array.from(
      { length: 95 },
      (_, index) => `scroll-${String(index).padStart(3, '0')}`,
    );
    for (const model of models) await add(model, { publish_time: '2022-01-01' });
    await page.goto(`${site.url}/model_square?q=scroll`);
    await expect.poll(async () => (await cards()).length).toBe(30);
    // 60 px before the end is not near enough; the end itself is.
    const main = page.locator('main ul').locator('..');
    await main.evaluate((box) => box.scrollTo({ top: box.scrollHeight - box.clientHeight - 60 }));
    await page.waitForTimeout(150);
    await expect.poll(() => cards()).toHaveLength(30);
    for (const count of [60, 90, 95]) {
      await main.evaluate((box) => box.scrollTo({ top: box.scrollHeight - box.clientHeight - 5 }));
      await expect.poll(async () => (await cards()).length).toBe(count);
    }
  });

  it('never threw and never violated the Content-Security-Policy', () => {
    expect(problems).toEqual([]);
  });
});
