/**
 * Prices in a real browser: the table editor of the settings, the price list, and what a customer
 * is charged by them.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';
import { atRest } from '../support/page-checks.ts';
import { chooseLook, photograph, variants } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';

const sizes = { 1440: { width: 1440, height: 900 }, 390: { width: 390, height: 844 } } as const;
const looks = variants.map(
  ([theme, language, { width }]) => [language, theme, width as keyof typeof sizes] as const,
);

describe.skipIf(!hasTool('browser'))('prices', () => {
  let site: ConsoleSite;
  let page: Page;

  beforeAll(async () => {
    site = await startConsoleSite();
    const models = Array.from({ length: 2000 }, (_, index) => [
      `model-${String(index).padStart(4, '0')}`,
      (index % 100) / 10,
    ]);
    const ratios = { ...Object.fromEntries(models), [siteModel]: 1.25 };
    await site.api('PUT', '/api/option/', { key: 'ModelRatio', value: JSON.stringify(ratios) });
    const channel = {
      name: 'second',
      type: 1,
      key: 'sk-b',
      base_url: site.upstream.url,
      models: 'brand-new',
      group: 'default,vip',
    };
    await site.api('POST', '/api/channel/', channel);
    page = await site.open({ viewport: sizes[1440] });
    await page.goto(`${site.url}/detail`);
  });
  afterAll(() => site?.close());

  const look = async (
    on: Page,
    path: string,
    language: 'zh' | 'en',
    theme: 'light' | 'dark',
    width: 390 | 1440,
  ) => {
    await on.setViewportSize(sizes[width]);
    if (on.url() === 'about:blank') await on.goto(`${site.url}/login`);
    await chooseLook(on, theme, language);
    await on.goto(site.url + path);
    await atRest(on);
  };
  /** Scrolls to the prices and waits until they are drawn. */
  const openPrices = async () => {
    const area = page.locator('[id="operation.prices"]');
    await area.scrollIntoViewIfNeeded();
    await area.getByRole('tab').first().waitFor();
    await area.evaluate((element) => element.scrollIntoView());
    return area;
  };
  /** Nothing may be wider than the window. */
  const overflow = (on: Page) =>
    on.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

  it.each(looks)('price list for visitors, %s %s %i', async (language, theme, width) => {
    const visitor = await site.open({}, 'visitor');
    await look(visitor, '/pricing', language, theme, width);
    await visitor.getByText(siteModel).first().waitFor();
    await expect.poll(() => visitor.getByText('$2.50').count()).toBeGreaterThan(0);
    expect(await overflow(visitor)).toBeLessThanOrEqual(0);
    await photograph(visitor, `pricing-${language}-${theme}-${width}`);
    await visitor.context().close();
  });

  it.each(looks)('table editor, %s %s %i', async (language, theme, width) => {
    await look(page, '/setting', language, theme, width);
    const area = await openPrices();
    await area.locator('tbody tr, li').first().waitFor();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await photograph(page, `price-table-${language}-${theme}-${width}`);
  });

  it('a price that is typed for an unpriced model is what the price list shows and a customer pays', async () => {
    await look(page, '/setting?prices=unset', 'en', 'light', 1440);
    const area = await openPrices();
    await area.getByRole('button', { name: 'Set price brand-new' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Prices', { exact: true }).click();
    await dialog.getByLabel('Input price per 1M', { exact: true }).fill('3');
    await dialog.getByLabel('Output price per 1M', { exact: true }).fill('15');
    await photograph(page, 'price-form-en-light-1440');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('2 settings saved').waitFor();

    await page.goto(`${site.url}/pricing?q=brand-new`);
    for (const price of ['$3.00', '$15.00', '×1.5', '×5'])
      await page.getByText(price, { exact: true }).first().waitFor();

    await site.chat('brand-new');
    await page.goto(`${site.url}/log`);
    // 1,000 × $3 / 1M + 500 × $15 / 1M
    const cost = page.getByRole('button', { name: /\$0\.010500/ }).first();
    await cost.focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await page.getByText('1,000 × $3.00/1M').waitFor();
    await photograph(page, 'cost-explained-en-light-1440');
  });

  it('a step that is typed is what a longer request costs', async () => {
    await look(page, '/setting', 'en', 'light', 1440);
    const area = await openPrices();
    const search = area.getByPlaceholder('Search models');
    await search.fill('brand-new');
    await search.press('Enter');
    await area.getByRole('button', { name: 'Edit brand-new' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add step' }).click();
    await dialog.getByLabel('Above', { exact: true }).fill('900');
    await dialog.getByLabel('Input', { exact: true }).fill('6');
    await dialog.getByLabel('Output', { exact: true }).fill('30');
    await dialog.getByRole('button', { name: 'Add tier' }).click();
    await dialog.getByLabel('Tier', { exact: true }).fill('priority');
    await dialog.getByLabel('Factor', { exact: true }).fill('2');
    for (const width of [768, 390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await dialog.getByRole('button', { name: 'Add tier' }).scrollIntoViewIfNeeded();
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      await photograph(page, `price-steps-en-light-${width}`);
    }
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('1 setting saved').waitFor();

    await site.chat('brand-new');
    await page.goto(`${site.url}/log`);
    // 1,000 × $6 / 1M + 500 × $30 / 1M
    await page
      .getByRole('button', { name: /\$0\.021000/ })
      .first()
      .waitFor();
    await page.goto(`${site.url}/pricing?q=brand-new`);
    await page.getByRole('button', { name: /900/ }).first().waitFor();
  });

  it('steps in the form, in Chinese and in the dark', async () => {
    await look(page, '/setting', 'zh', 'dark', 1440);
    const area = await openPrices();
    const search = area.getByPlaceholder('搜索模型');
    await search.fill('brand-new');
    await search.press('Enter');
    await area.getByRole('button', { name: '编辑 brand-new' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('超过', { exact: true }).inputValue()).toBe('900');
    await page.setViewportSize(sizes[390]);
    await dialog.getByRole('button', { name: '添加等级' }).scrollIntoViewIfNeeded();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await photograph(page, 'price-steps-zh-dark-390');
    await page.keyboard.press('Escape');
    await page.setViewportSize(sizes[1440]);
    await search.fill('gpt-4o');
    await search.press('Enter');
    await area.getByRole('button', { name: '编辑 gpt-4o', exact: true }).click();
    await dialog.getByText('标价 $2.50').first().waitFor();
    for (const width of [1440, 390] as const) {
      await page.setViewportSize(sizes[width]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      await photograph(page, `price-list-zh-dark-${width}`);
    }
    await page.keyboard.press('Escape');
  });

  it('edits and searches 2,000 models, of which it draws those in view', async () => {
    await look(page, '/setting', 'en', 'light', 1440);
    const area = await openPrices();
    expect(await area.getByRole('row').count()).toBeLessThan(200);
    const search = area.getByPlaceholder('Search models');
    await search.fill('model-1999');
    await search.press('Enter');
    const ratio = area.getByRole('button', { name: /Model ratio · model-1999/ });
    await ratio.waitFor();
    await ratio.click();
    await page.keyboard.type('7.5');
    await page.keyboard.press('Enter');
    await page.getByText('1 change: ', { exact: false }).waitFor();
    await area.getByText('$15.00 / $15.00').waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
  });

  it('a user accepts models without a price', async () => {
    await look(page, '/personal', 'en', 'light', 1440);
    await page.getByRole('tab', { name: 'Price settings' }).click();
    await page.getByRole('switch').focus();
    await page.keyboard.press('Space');
    await page.getByText('Settings updated').waitFor();
    await photograph(page, 'personal-prices-en-light-1440');
    await page.reload();
    await page.getByRole('tab', { name: 'Price settings' }).click();
    await expect.poll(() => page.getByRole('switch').isChecked()).toBe(true);
  });
});
