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
import type { Reply } from '../support/openings/steps.ts';
import { atRest, redrawn, violations, visit } from '../support/page-checks.ts';
import { wide } from '../support/screenshots.ts';
import { openTaskRows } from '../support/seed-tasks.ts';
import { hasTool } from '../support/tools.ts';

const folder = join(import.meta.dirname, '../../src/ui');
const password = 'a-long-password';

/** What draws something above the page, or asks for it. */
const opens =
  /<(Modal|Drawer|Menu|Popover|Select|MultiSelect|Autocomplete|TagsInput|EntityDrawer|FormDrawer|FilterPopover)(\.Root)?[\s>]|\b(openDialog|confirmDanger)\(|type="(datetime-local|date)"/;
/** They draw what the other files open. */
const frames = [
  'components/confirm-danger.tsx',
  'components/dialog-frame.tsx',
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
  /** Both themes: the second one, which has other colours, without what the first one found already. */
  const findings = async (on: Page) => {
    const found = await violations(on);
    const scheme = (name: string) =>
      on.evaluate(
        (value) => document.documentElement.setAttribute('data-mantine-color-scheme', value),
        name,
      );
    await scheme('dark');
    const dark = await violations(on, undefined, 'colours');
    await scheme('light');
    return [
      ...found,
      ...dark.filter((line) => !found.includes(line)).map((line) => `dark ${line}`),
    ];
  };
  const floating = '[role=dialog],[role=alertdialog],[role=menu],[role=listbox]';
  const all = Object.entries(openings).flatMap(([file, entry]) =>
    [entry].flat().map((opening, index) => [`${file} ${index + 1}`, opening] as const),
  );

  const load = async (on: Page, at: string) => {
    await on.goto('about:blank'); // An address that differs by its end alone loads nothing.
    await on.goto(`${site.url}${at}`);
    await redrawn(on);
  };

  it.each(all)('passes: %s', async (_, { at, open, as, size = wide, replies: facts = [] }) => {
    const on = as === 'visitor' ? visitor : page;
    await on.setViewportSize(size);
    await replace(on, facts);
    await load(on, at);
    await open(on, site);
    await on.locator(floating).filter({ visible: true }).last().waitFor();
    await atRest(on);
    expect(await findings(on)).toEqual([]);
  });

  /** Pages whose console knows nothing but what the server said, and shows nothing above a screen. */
  const plain = new Set<Page>();

  it.each(Object.values(screens).flat())(
    'passes: the screen $at',
    async ({ at, as, replies: facts = [] }) => {
      const on = as === 'visitor' ? visitor : page;
      await on.setViewportSize(wide);
      await replace(on, facts);
      if (facts.length === 0 && plain.has(on)) await visit(on, at);
      else await load(on, at);
      if (facts.length === 0) plain.add(on);
      else plain.delete(on);
      await on.getByRole('heading').first().waitFor();
      expect(await findings(on)).toEqual([]);
    },
  );

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
