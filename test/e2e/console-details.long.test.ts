/**
 * Details of the console that only a real browser shows: sizes, colours, history, a server that is
 * gone.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';
import { holdRequests } from '../support/held-requests.ts';
import { atRest, overflow, violations, visit } from '../support/page-checks.ts';
import { chooseLook, phone, photograph, wide } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';
import { smallTargets } from '../support/touch-targets.ts';

const languages = ['zh', 'en'] as const;
const themes = ['light', 'dark'] as const;
/** Sixty characters. */
const longName =
  'A gateway for the whole of the company 面向全公司所有部门的人工智能统一接入网关平台';

describe.skipIf(!hasTool('browser'))('details of the console', () => {
  let site: ConsoleSite;
  let page: Page;

  beforeAll(async () => {
    site = await startConsoleSite();
    await site.chat(siteModel);
    page = await site.open({ viewport: wide });
    await page.goto(`${site.url}/detail`);
  });
  afterAll(() => site?.close());

  const look = async (
    path: string,
    theme: (typeof themes)[number],
    language: (typeof languages)[number],
  ) => {
    await chooseLook(page, theme, language);
    await page.goto(site.url + path);
    await atRest(page);
  };
  const shoot = (name: string) => photograph(page, `${name}`);

  describe('the palette', () => {
    it.each([
      ['light', 'en', wide],
      ['dark', 'zh', phone],
    ] as const)('finds a channel, fits and passes axe: %s, %s', async (theme, language, size) => {
      await page.setViewportSize(size);
      await look('/detail', theme, language);
      const name = language === 'en' ? 'Search and go' : '搜索与跳转';
      await page.getByRole('button', { name }).click();
      const field = page.getByRole('combobox', { name });
      await field.waitFor();
      await shoot(`palette-empty-${theme}-${language}-${size.width}`);
      await field.fill('main');
      await page.getByRole('option', { name: 'main' }).first().waitFor();
      await atRest(page);
      await shoot(`palette-${theme}-${language}-${size.width}`);
      expect(await violations(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
      if (size === phone) expect(await smallTargets(page, '[role="dialog"]')).toEqual([]);
      await page.getByRole('option', { name: /^main/ }).first().click();
      await page.getByRole('dialog').getByRole('textbox').first().waitFor();
      expect(new URL(page.url()).pathname).toBe('/channel');
      await page.keyboard.press('Escape');
    });
  });

  describe('a secret out of sight', () => {
    /** The screen's last placeholder, out of sight. */
    const open = async () => {
      await page.setViewportSize(wide);
      await look('/setting?tab=system', 'light', 'en');
      const placeholder = page.locator('[role="group"][aria-busy="true"]').last();
      await placeholder.waitFor({ state: 'attached' });
      return (await placeholder.getAttribute('aria-label')) ?? '';
    };
    const group = (name: string) => page.getByRole('group', { name, exact: true });

    it('is reached by Tab: it loads and takes the focus', async () => {
      const name = await open();
      await group(name).evaluate((element) => {
        const all = [
          ...document.querySelectorAll<HTMLElement>(
            'main :is(button, input, textarea, [tabindex="0"])',
          ),
        ];
        all[all.indexOf(element as HTMLElement) - 1]?.focus();
      });
      await page.keyboard.press('Tab');
      const hasFocus = () =>
        page.evaluate(() => document.activeElement?.matches('input, textarea') ?? false);
      await expect.poll(hasFocus).toBe(true);
      const reached = await page.evaluateHandle(() => document.activeElement);
      await page.keyboard.press('Shift+Tab');
      expect(await reached.evaluate((element) => element === document.activeElement)).toBe(false);
    });

    it('loads shortly before it is scrolled into sight', async () => {
      const name = await open();
      const gap = (distance: number) =>
        group(name).evaluate((element, pixels) => {
          let box = element.parentElement as HTMLElement;
          while (!/auto|scroll/.test(getComputedStyle(box).overflowY))
            box = box.parentElement as HTMLElement;
          box.scrollBy(
            0,
            element.getBoundingClientRect().top - box.getBoundingClientRect().bottom - pixels,
          );
        }, distance);
      await gap(400);
      await atRest(page);
      await expect.poll(() => group(name).count()).toBe(1);
      await gap(60);
      await expect.poll(() => group(name).count()).toBe(0);
    });
  });

  describe('a JSON field', () => {
    const editor = () => page.locator('.cm-content');
    const open = async () => {
      await page.setViewportSize(wide);
      await look('/setting?tab=models', 'light', 'en');
      const area = page.locator('main textarea[aria-labelledby]').first();
      await area.scrollIntoViewIfNeeded();
      await atRest(page);
      expect(await editor().count()).toBe(0);
      return area;
    };

    it('becomes a code editor when it is reached by Tab', async () => {
      const area = await open();
      await area.focus();
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.matches('.cm-content') ?? false))
        .toBe(true);
      const reached = await page.evaluateHandle(() => document.activeElement);
      await page.keyboard.press('Tab');
      expect(await reached.evaluate((element) => element === document.activeElement)).toBe(false);
    });

    it('keeps what is typed while the editor loads, and the place of the cursor', async () => {
      const area = await open();
      const editorCode = await holdRequests(page, '**/json-editor-*.js');
      await area.click();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type('{"a": 1}');
      await page.keyboard.press('ArrowLeft');
      expect(await editor().count()).toBe(0);
      await editorCode.release();
      await editor().waitFor();
      await page.keyboard.type('2');
      await expect.poll(() => editor().innerText()).toBe('{"a": 12}');
      await page.getByRole('button', { name: 'Discard changes' }).click();
    });
  });

  it('opens a select of the settings with the click that loads it', async () => {
    await page.setViewportSize(wide);
    await look('/setting?tab=system', 'light', 'en');
    await page.getByLabel('Site language').first().click();
    await page.getByRole('option', { name: 'English' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it.each(languages)(
    'cuts a long site name on a phone and keeps the account menu in sight, %s',
    async (language) => {
      await site.api('PUT', '/api/option/', { key: 'SystemName', value: longName });
      await page.setViewportSize(phone);
      await look('/detail', 'light', language);
      const menu = page.getByRole('button', {
        name: language === 'zh' ? /的账号菜单$/ : /account menu/i,
      });
      const box = await menu.boundingBox();
      expect(box).not.toBeNull();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(phone.width);
      await menu.click({ trial: true });
      await shoot(`long-name-${language}-390`);
      await site.api('PUT', '/api/option/', { key: 'SystemName', value: 'Turnpike' });
      await page.setViewportSize(wide);
    },
  );

  it('has targets of 44 px on every screen of a phone, and in what opens there', async () => {
    await page.setViewportSize(phone);
    const screens: readonly (readonly [string, string?])[] = [
      ['/detail'],
      ['/channel'],
      ['/token'],
      ['/log'],
      ['/redemption'],
      ['/user'],
      ['/personal'],
      ['/topup'],
      ['/topup/history'],
      ['/setting'],
      ['/redemption?new=1', '[role="dialog"]'],
      ['/user?new=1', '[role="dialog"]'],
      ['/user?edit=1', '[role="dialog"]'],
      ['/pricing'],
      ['/model_square_management?new=1', '[role="dialog"]'],
      ['/personal'],
      ['/channel?new=1', '[role="dialog"]'],
      ['/channel?edit=1', '[role="dialog"]'],
      ['/token?new=1', '[role="dialog"]'],
    ];
    /** A dialog may load parts of its own. */
    const opensAndRests = async (within: string) => {
      await page.locator(within).last().waitFor();
      await atRest(page);
    };
    const small: Record<string, readonly string[]> = {};
    await look('/about', 'light', 'en');
    for (const [path, within = 'body'] of screens) {
      await visit(page, path);
      await page.getByRole('heading').first().waitFor();
      if (within !== 'body') await opensAndRests(within);
      const found = await smallTargets(page, within);
      if (found.length > 0) small[path] = found;
    }
    const opened = async (path: string, button: RegExp, within: string) => {
      await visit(page, path);
      await page.getByRole('button', { name: button }).first().click();
      await opensAndRests(within);
      const found = await smallTargets(page, within);
      if (found.length > 0) small[`${path} ${button.source}`] = found;
      await page.keyboard.press('Escape');
      await page.locator(within).filter({ visible: true }).first().waitFor({ state: 'hidden' });
    };
    await opened('/detail', /^open menu$/i, '[role="dialog"]');
    await opened('/detail', /account menu/i, '[role="menu"]');
    await opened('/log', /filter/i, '[role="dialog"]');
    await opened('/channel', /^more actions/i, '[role="menu"]');
    await opened('/user', /^more actions/i, '[role="menu"]');
    const visitor = await site.open({ viewport: phone }, 'visitor');
    await visitor.goto(`${site.url}/login`);
    await atRest(visitor);
    const found = await smallTargets(visitor);
    if (found.length > 0) small['/login'] = found;
    await visitor.context().close();
    expect(small).toEqual({});
    await page.setViewportSize(wide);
  });

  it.each(themes)('draws the loader of a button in a colour that is seen, %s', async (theme) => {
    const visitor = await site.open({ viewport: wide, colorScheme: theme }, 'visitor');
    await visitor.route('**/public/email_login*', () => {});
    await visitor.goto(`${site.url}/login`);
    await visitor.locator('input[autocomplete="username"]').fill('root');
    await visitor.locator('input[type="password"]').fill('a-long-password');
    await visitor.locator('button[type="submit"]').click();
    const button = visitor.locator('button[data-loading]');
    await button.waitFor();
    await photograph(visitor, `loading-button-${theme}`);
    expect(await loaderContrast(button)).toBeGreaterThan(3);
    await visitor.context().close();
  });

  it.each(languages)(
    'shows all of a ticket with six-digit prices and a long model name, %s',
    async (language) => {
      await page.route('**/api/log/?*', async (route) => {
        const reply = await route.fetch();
        const body = (await reply.json()) as { data: { items: LogItem[] } };
        await route.fulfill({
          response: reply,
          json: { ...body, data: { ...body.data, items: body.data.items.map(dear) } },
        });
      });
      for (const size of [wide, phone]) {
        await page.setViewportSize(size);
        await look('/log', 'light', language);
        const row =
          size === wide
            ? page.locator('tr[data-row="0"]')
            : page.locator('main li, main [data-row]').first();
        await row.click();
        const ticket = page
          .getByRole('region', { name: language === 'zh' ? '这一笔怎么算' : 'How this was priced' })
          .first();
        await ticket.waitFor();
        await shoot(`ticket-${language}-${size.width}`);
        expect(await clipped(ticket)).toEqual([]);
        await expectInside(ticket, size.width);
      }
      await page.unrouteAll({ behavior: 'wait' });
      await page.setViewportSize(wide);
    },
  );

  it('shows the key, addresses and samples of a new token on its ticket', async () => {
    for (const [theme, language, size] of [
      ['light', 'en', wide],
      ['dark', 'zh', phone],
    ] as const) {
      await page.setViewportSize(size);
      await look('/token?new=1', theme, language);
      const drawer = page.getByRole('dialog');
      await drawer
        .getByRole('textbox', { name: language === 'zh' ? '名称' : 'Name', exact: true })
        .fill('production');
      await drawer
        .getByRole('button', { name: language === 'zh' ? /^(新建|创建)/ : /^(New|Create)/ })
        .click();
      const ticket = page.getByRole('dialog').getByText(/curl/).first();
      await ticket.waitFor();
      await shoot(`token-ticket-${theme}-${language}-${size.width}`);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
      ).toBeLessThanOrEqual(0);
      if (size === phone) expect(await smallTargets(page, '[role="dialog"]')).toEqual([]);
    }
    await page.setViewportSize(wide);
  });

  it.each([
    ['edit=1', 'Edit channel'],
    ['new=1', 'New channel'],
  ])(
    'asks when Back would close a changed drawer (%s), and stays in it',
    async (address, title) => {
      await look('/channel', 'light', 'en');
      if (address === 'new=1') await page.getByRole('button', { name: 'New channel' }).click();
      else
        await page
          .locator('tr[data-row="0"]')
          .getByRole('button', { name: /^Edit/ })
          .last()
          .click();
      const drawer = page.getByRole('dialog', { name: title });
      const name = drawer.getByRole('textbox', { name: 'Name', exact: true });
      await name.fill('changed');
      expect(new URL(page.url()).search).toBe(`?${address}`);
      await page.goBack();
      const question = page.getByRole('alertdialog');
      await question.waitFor();
      // The role and the name are those of one element.
      expect(await question.getAttribute('aria-labelledby')).not.toBeNull();
      await question.getByRole('button', { name: 'Keep editing' }).click();
      await question.waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe(`?${address}`);
      await expect.poll(() => name.inputValue()).toBe('changed');
      await page.goBack();
      await question.getByRole('button', { name: 'Discard changes' }).click();
      await drawer.waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe('');
      expect(await page.getByRole('alertdialog').count()).toBe(0);
    },
  );

  it('leads from the pager to any page, on phones with fingers', async () => {
    await site.api('POST', '/api/redemption/', { name: 'paged', quota: 1, count: 45 });
    for (const [theme, language, size] of [
      ['light', 'en', wide],
      ['dark', 'zh', { width: 320, height: 700 }],
    ] as const) {
      await page.setViewportSize(size);
      await look('/redemption?p=3', theme, language);
      const field = page.getByRole('textbox', { name: language === 'en' ? 'Page' : '页码' });
      await field.waitFor();
      await shoot(`pager-${theme}-${language}-${size.width}`);
      expect(await violations(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
      if (size !== wide) expect(await smallTargets(page)).toEqual([]);
      await field.fill('5');
      await field.press('Enter');
      await page.waitForURL(/p=5/);
    }
    await page.setViewportSize(wide);
  });

  it('keeps toasts off the pager and the batch bar', async () => {
    await look('/channel', 'light', 'en');
    await page.locator('tr[data-row="0"]').getByRole('button', { name: /^Test/ }).click();
    const toast = page.locator('.mantine-Notification-root').first();
    await toast.waitFor();
    const [over, pager] = [
      await toast.boundingBox(),
      await page.getByText(/per page/).boundingBox(),
    ];
    expect((over?.y ?? 0) + (over?.height ?? 0)).toBeLessThanOrEqual(pager?.y ?? 0);
    await shoot('toast-pager');
  });

  it('says that the server is gone while the console is open', async () => {
    await look('/channel', 'light', 'en');
    await site.gateway.close();
    await page.getByRole('button', { name: 'Refresh' }).click();
    const banner = page.getByRole('alert').filter({ hasText: 'The gateway does not respond' });
    await banner.waitFor();
    await shoot('connection-light-en-1440');
    await page.setViewportSize(phone);
    await shoot('connection-light-en-390');
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
    ).toBeLessThanOrEqual(0);
  });
});

interface LogItem {
  readonly model_name: string;
  readonly other: string;
}

/** The row with prices of six digits, counts of seven and a long model name. */
function dear(row: LogItem): LogItem & Record<string, unknown> {
  const prices = { model_ratio: 123_456.5, cache_tokens: 300, cache_ratio: 0.5 };
  return {
    ...row,
    model_name: `provider/${'very-long-model-name-'.repeat(4)}preview`,
    prompt_tokens: 1_234_567,
    completion_tokens: 765_432,
    quota: 352_345_678_901,
    other: JSON.stringify({ ...(JSON.parse(row.other) as object), ...prices }),
  };
}

/** Texts within an element that are wider than their place. */
async function clipped(element: Locator): Promise<readonly string[]> {
  return element.evaluate((root) =>
    [...root.querySelectorAll<HTMLElement>('*')]
      .filter((part) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1)
      .map(
        (part) => `${part.textContent?.slice(0, 80)}: ${part.scrollWidth} > ${part.clientWidth}`,
      ),
  );
}

async function expectInside(element: Locator, width: number): Promise<void> {
  const box = await element.boundingBox();
  expect(box?.x ?? -1).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
}

/** Contrast of a button's loader against its ground (WCAG 2.2, relative luminance). */
async function loaderContrast(button: Locator): Promise<number> {
  return button.evaluate((element) => {
    const paint = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const luminance = (color: string): number => {
      if (paint === null) return 0;
      paint.clearRect(0, 0, 1, 1);
      paint.fillStyle = color;
      paint.fillRect(0, 0, 1, 1);
      const [r = 0, g = 0, b = 0] = [...paint.getImageData(0, 0, 1, 1).data].map((value) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const loader = element.querySelector('.mantine-Loader-root') ?? element;
    const probe = document.createElement('i');
    probe.style.color = 'var(--loader-color)';
    loader.append(probe);
    const [a, b] = [
      luminance(getComputedStyle(probe).color),
      luminance(getComputedStyle(element).backgroundColor),
    ];
    probe.remove();
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  });
}
