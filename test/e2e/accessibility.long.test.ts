// Covers src/ui.
/**
 * Every screen, and everything that opens above one, passes axe in light and in dark
 * (docs/rules/console.md#keyboard). Both lists are held against the code: a file that opens
 * something and is opened by no entry fails the test.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';
import { admin } from '../support/openings/admin.ts';
import { customer } from '../support/openings/customer.ts';
import { screens } from '../support/openings/screens.ts';
import { shared } from '../support/openings/shared.ts';
import type { Opening, Reply } from '../support/openings/steps.ts';
import { atRest, forgetAnswers, redrawn, violations, visit } from '../support/page-checks.ts';
import { wide } from '../support/screenshots.ts';
import { openTaskRows } from '../support/seed-tasks.ts';
import { hasTool } from '../support/tools.ts';

const folder = join(import.meta.dirname, '../../src/ui');
const password = 'a-long-password';

/** What draws something above the page, or asks for it. */
const opens =
  /<(Modal|Dialog|Drawer|Menu|Popover|Select|MultiSelect|Autocomplete|TagsInput|EntityDrawer|FormDrawer|FilterPopover)(\.Root)?[\s>]|\b(openDialog|confirmDanger)\(|type="(datetime-local|date)"/;
/** They draw what the other files open. */
const frames = [
  'components/confirm-danger.tsx',
  'components/dialog-frame.tsx',
  'components/dialog.tsx',
  'components/dialogs.ts',
  'components/ticket-dialog.tsx',
  'form/entity-drawer.tsx',
  'form/form-drawer.tsx',
];

const openings = { ...shared, ...admin, ...customer };

describe.skipIf(!hasTool('browser'))('axe', () => {
  let site: ConsoleSite;
  let page: Page;
  let visitor: Page;

  beforeAll(async () => {
    site = await startConsoleSite();
    const channel = { type: 1, base_url: site.upstream.url, models: siteModel, group: 'default' };
    await site.api('POST', '/api/channel/', {
      ...channel,
      name: 'several',
      key: 'sk-a\nsk-b',
      tag: 'east',
      setting: '{"multi_key_mode":"random"}',
    });
    await site.api('POST', '/api/channel/', { ...channel, name: 'gemini', type: 24, key: 'sk-c' });
    await site.api('POST', '/api/user/', { username: 'ann', password });
    await site.api('POST', '/api/redemption/', { name: 'a gift', quota: 5, count: 2 });
    const codes = await site.api<{ items: { key: string }[] }>('GET', '/api/redemption/');
    await site.api('POST', '/api/user/topup', { key: codes.items.at(-1)?.key });
    await site.api('POST', '/api/turnpike/budgets', {
      name: 'daily',
      owner: 'user',
      owner_id: '1',
      amount: 4_999_999,
      period: 'day',
    });
    await site.api('PUT', '/api/turnpike/self/prompts/b7cf1f1e-4ffb-4b0b-8f21-3ff1a52b3b2a', {
      name: 'greeting',
      text: 'Greet me',
    });
    await site.chat(siteModel);
    const rows = openTaskRows(site.gateway.dataDir);
    rows.drawing({
      user_id: 1,
      channel_id: 1,
      mj_id: '1',
      prompt: 'a bridge',
      quota: 50_000,
      submit_time: Date.now(),
      image_url: 'https://cdn.example/a.png',
    });
    rows.task({
      user_id: 1,
      channel_id: 1,
      task_id: 'image-1',
      platform: 'image',
      action: 'IMAGE',
      submit_time: 1_790_000_000,
      properties: '{"input":{"prompt":"a bridge"}}',
      data: '[]',
    });
    rows.close();
    page = await site.open({ viewport: wide, locale: 'en-US' });
    visitor = await site.open({ viewport: wide, locale: 'en-US' }, 'visitor');
    for (const on of [page, visitor])
      await on.addInitScript(() => {
        localStorage.setItem('i18nextLng', 'en');
        localStorage.setItem('theme-mode', 'light');
      });
  });
  afterEach(() => Promise.all([page, visitor].map((on) => on.unrouteAll({ behavior: 'wait' }))));
  afterAll(() => site?.close());

  const replace = async (on: Page, all: readonly Reply[]) => {
    for (const { path, data } of all)
      await on.route(
        (url) => url.pathname === path,
        async (route) => {
          if (typeof data !== 'function')
            return route.fulfill({ json: { success: true, code: 200, message: '', data } });
          const response = await route.fetch();
          const body = (await response.json()) as { data: object };
          return route.fulfill({ response, json: { ...body, data: data(body.data) } });
        },
      );
  };
  /** In dark, where only the colours differ. */
  const darkViolations = async (on: Page, within?: string) => {
    const scheme = (name: string) =>
      on.evaluate(
        (value) => document.documentElement.setAttribute('data-mantine-color-scheme', value),
        name,
      );
    await scheme('dark');
    const found = await violations(on, { within, only: 'colours' });
    await scheme('light');
    return found.map((line) => `dark ${line}`);
  };
  const floating = '[role=dialog],[role=alertdialog],[role=menu],[role=listbox]';
  /**
   * What is around every screen, and is looked at with the screens: whatever opens elsewhere leaves
   * it as it is.
   */
  const frame = ['aside', 'header'].map((part) => `#root ${part}:not(:has([aria-expanded=true]))`);
  /**
   * Marks what can be used: of dialogs the uppermost and what it opened, as the rest is behind a
   * veil; the page where there is none. Returns a selector.
   */
  const markUsable = (on: Page) =>
    on.evaluate(() => {
      for (const old of document.querySelectorAll('[data-usable]'))
        old.removeAttribute('data-usable');
      const shown = (roles: string) =>
        [...document.querySelectorAll(roles)].filter((part) => part.checkVisibility());
      const dialog = shown('[role=dialog],[role=alertdialog]').at(-1);
      const usable =
        dialog === undefined ? [document.body] : [dialog, ...shown('[role=menu],[role=listbox]')];
      for (const part of usable) part.setAttribute('data-usable', '');
      return '[data-usable]';
    });
  const all = Object.entries(openings).flatMap(([file, entry]) =>
    [entry].flat().map((opening, index) => ({ name: `${file} ${index + 1}`, ...opening })),
  );

  /** Pages whose console is open and shows nothing above a screen. */
  const plain = new Set<Page>();
  /** Pages whose console knows what the server did not say. */
  const mistaken = new Set<Page>();

  /** Leads to a screen, by loading it only where something is left of what was shown before. */
  const open = async ({ at, as, size = wide, replies = [] }: Omit<Opening, 'open'>) => {
    const on = as === 'visitor' ? visitor : page;
    await on.setViewportSize(size);
    await replace(on, replies);
    if (plain.delete(on)) {
      if (mistaken.has(on) || replies.length > 0) await forgetAnswers(on);
      await visit(on, at);
    } else {
      const address = new URL(at, site.url);
      // An address that differs by its end alone loads nothing.
      if (address.pathname === new URL(on.url()).pathname) await on.goto('about:blank');
      await on.goto(address.href);
      await redrawn(on);
    }
    if (replies.length > 0) mistaken.add(on);
    else mistaken.delete(on);
    return on;
  };
  /**
   * What a screen keeps goes with it. Escape closes what stands above it; what stays then, as does a
   * question on leaving, goes when the next screen is loaded.
   */
  const leave = async (on: Page) => {
    const left = on.locator(floating).filter({ visible: true });
    await visit(on, '/about');
    if ((await left.count()) > 0) {
      await on.keyboard.press('Escape');
      await atRest(on);
    }
    if ((await left.count()) === 0 && new URL(on.url()).pathname === '/about') plain.add(on);
  };

  it.each(all)('passes: $name', async ({ name, open: act, ...opening }) => {
    const on = await open(opening);
    await act(on, site);
    await on.locator(floating).filter({ visible: true }).last().waitFor();
    await atRest(on);
    const without = name.startsWith('shell/') ? [] : frame;
    const within = await markUsable(on);
    expect([
      ...(await violations(on, { without, only: 'structure' })),
      ...(await violations(on, { within, only: 'colours' })),
      ...(await darkViolations(on, within)),
    ]).toEqual([]);
    await leave(on);
  });

  it.each(Object.values(screens).flat())('passes: the screen $at', async (screen) => {
    const on = await open(screen);
    await on.getByRole('heading').first().waitFor();
    expect([...(await violations(on)), ...(await darkViolations(on))]).toEqual([]);
    await leave(on);
  });

  it('has an entry for every screen', () => {
    const source = readFileSync(join(folder, 'routes.tsx'), 'utf8');
    const paths = [...source.matchAll(/^ {4}path: '([^']+)',$/gm)].map(([, path]) => path);
    expect(paths.toSorted()).toEqual(Object.keys(screens).toSorted());
  });

  it('has an entry for every file that opens something', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .filter((name) => opens.test(readFileSync(join(folder, name), 'utf8')));
    expect(files.toSorted()).toEqual([...frames, ...Object.keys(openings)].toSorted());
  });
});
