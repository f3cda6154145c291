// Covers src/ui/routes/task-log.
/**
 * Drawing log and task log in a real browser: what was ordered, what became of it, and what it
 * cost.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wav } from '../support/audio-files.ts';
import { type ConsoleSite, startConsoleSite } from '../support/console-site.ts';
import { atRest, violations } from '../support/page-checks.ts';
import { chooseLook, phone, photograph, variants, wide } from '../support/screenshots.ts';
import { openTaskRows } from '../support/seed-tasks.ts';
import { hasTool } from '../support/tools.ts';

const root = 1;
const now = Math.floor(Date.now() / 1000);
const hostile = '"><img src=x onerror="window.stolen=1">{{7*7}}';
const landscape = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><defs><linearGradient id="a" x2="0" y2="1"><stop stop-color="#7fb4d9"/><stop offset="1" stop-color="#f3d9b1"/></linearGradient></defs><rect width="640" height="480" fill="url(#a)"/><circle cx="470" cy="150" r="56" fill="#fff3d0"/><path d="M0 480V330l150-110 120 90 110-70 260 180v60z" fill="#3f6b58"/></svg>`;

describe.skipIf(!hasTool('browser'))('drawing log and task log', () => {
  let site: ConsoleSite;
  let page: Page;
  let rows: ReturnType<typeof openTaskRows>;
  /** What the browser asked of other sites. */
  const direct: string[] = [];
  let runningDrawing: number;

  beforeAll(async () => {
    site = await startConsoleSite();
    rows = openTaskRows(site.gateway.dataDir);
    page = await site.open({ viewport: wide, locale: 'en-US' });
    await page.addInitScript(
      () => localStorage.getItem('i18nextLng') ?? localStorage.setItem('i18nextLng', 'en'),
    );
    // What the gateway passes on of other sites; the browser itself asks only the gateway.
    await page.route('**/pg/foreign?*', (route) => {
      const address = new URL(route.request().url()).searchParams.get('address') ?? '';
      if (address.endsWith('.png') && address.startsWith('https://cdn.example/'))
        return route.fulfill({ contentType: 'image/svg+xml', body: landscape });
      return address.endsWith('.mp3')
        ? route.fulfill({ contentType: 'audio/wav', body: wav(1) })
        : route.fulfill({ status: 404 });
    });
    await page.route(/^https:\/\/(cdn|gone)\.example\//, (route) => {
      direct.push(route.request().url());
      return route.abort();
    });
    await page.route('**/mj/image/**', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: landscape }),
    );
  });
  afterAll(async () => {
    rows?.close();
    await site?.close();
  });

  const tableRows = () => page.locator('tbody tr[data-row]');
  const row = (text: string) => tableRows().filter({ hasText: text });

  it('an empty log says so, and leads to all of its time', async () => {
    await page.goto(`${site.url}/detail`);
    await page.getByRole('link', { name: 'Task log' }).click();
    await page.getByRole('heading', { name: 'No tasks in this period' }).waitFor();
    await photograph(page, 'tasks-empty-span');
    await page.getByRole('button', { name: 'Show all time' }).click();
    await page.getByRole('heading', { name: 'No tasks yet' }).waitFor();
    await page.goto(`${site.url}/midjourney?time=all`);
    await page.getByRole('heading', { name: 'No drawings yet' }).waitFor();
  });

  it('drawings: images, failures with their refunds, prompts, submit results, the notice on callbacks', async () => {
    const common = { user_id: root, channel_id: 1 };
    const at = (seconds: number) => (now - seconds) * 1000;
    rows.drawing({
      ...common,
      mj_id: '1320098173412546',
      prompt: '雪山脚下的收费站，清晨，广角，薄雾 --ar 3:2 --v 6.1',
      prompt_en:
        'A toll station below snowy mountains, early morning, wide angle, mist --ar 3:2 --v 6.1',
      submit_time: at(3600),
      start_time: at(3590),
      finish_time: at(3560),
      image_url: 'https://cdn.example/a.png',
      quota: 50_000,
    });
    rows.drawing({
      ...common,
      mj_id: '1320098173412547',
      action: 'UPSCALE',
      prompt: 'A toll station, upscaled',
      submit_time: at(3000),
      finish_time: at(2900),
      image_url: 'javascript:alert(1)',
      video_url: 'javascript:alert(2)',
      quota: 25_000,
    });
    const failed = rows.drawing({
      ...common,
      mj_id: '1320098173412548',
      action: 'VARIATION',
      prompt: hostile,
      prompt_en: hostile,
      status: 'FAILURE',
      code: 22,
      submit_time: at(2400),
      finish_time: at(2390),
      fail_reason: `Banned prompt detected: ${hostile}`,
    });
    rows.refund(root, 50_000, `drawing:${failed}`);
    rows.drawing({
      ...common,
      mj_id: '',
      status: 'FAILURE',
      code: 0,
      prompt: 'never submitted',
      submit_time: at(1800),
    });
    rows.drawing({
      ...common,
      mj_id: '1320098173412550',
      action: 'CUSTOM_ZOOM',
      status: 'MODAL',
      code: 21,
      progress: '0%',
      submit_time: at(1200),
    });
    runningDrawing = rows.drawing({
      ...common,
      mj_id: '1320098173412551',
      status: 'IN_PROGRESS',
      progress: '46%',
      prompt: 'A toll gate at night, long exposure',
      submit_time: at(30),
      start_time: at(25),
      quota: 50_000,
    });
    await page.goto(`${site.url}/midjourney`);
    await row('1320098173412546').waitFor();
    await page.getByText('Midjourney callbacks are not enabled').waitFor();
    await expect
      .poll(() => page.getByRole('link', { name: 'Open settings' }).getAttribute('href'))
      .toContain('MjNotifyEnabled');
    await row('never submitted').getByText('Not submitted').waitFor();
    await row('1320098173412548').getByText('Duplicate').waitFor();
    await row('1320098173412548').getByText('Refunded').waitFor();
    await row('1320098173412550').getByText('Awaiting input').waitFor();
    await expect
      .poll(() => row('1320098173412551').getByRole('progressbar').getAttribute('aria-valuenow'))
      .toBe('46');
    const tone = (id: string, text: string) =>
      row(id).getByText(text, { exact: true }).getAttribute('data-tone');
    expect(await tone('1320098173412546', '40.0 s')).toBe('ok');
    expect(await tone('1320098173412547', '100.0 s')).toBe('red');
    // The gateway forwards images; addresses that run code are no videos and no links.
    await expect
      .poll(() => row('1320098173412547').locator('img').getAttribute('src'))
      .toContain('/mj/image/1320098173412547');
    expect(await page.locator('[href^="javascript"], [src^="javascript"]').count()).toBe(0);
    expect(await page.evaluate(() => 'stolen' in window)).toBe(false);
    await row('1320098173412546')
      .getByRole('button', { name: /^Enlarge image/ })
      .click();
    await page
      .getByRole('dialog', { name: 'Image' })
      .getByRole('link', { name: 'Open in new tab' })
      .waitFor();
    await photograph(page, 'drawings-lightbox');
    await page.keyboard.press('Escape');
  });

  it('a row opens on prompts, reason and times, and stays open while running rows are read again', async () => {
    await page.clock.install();
    await page.goto(`${site.url}/midjourney?open=1320098173412546`);
    await page.getByRole('heading', { name: 'Prompt in English' }).waitFor();
    rows.set('midjourneys', runningDrawing, {
      status: 'SUCCESS',
      progress: '100%',
      finish_time: now * 1000,
    });
    await page.clock.runFor(16_000);
    await row('1320098173412551').getByText('Success').waitFor();
    await expect
      .poll(() => page.getByRole('heading', { name: 'Prompt in English' }).count())
      .toBe(1);
    rows.set('midjourneys', runningDrawing, {
      status: 'IN_PROGRESS',
      progress: '46%',
      finish_time: 0,
    });
    await page.clock.resume();
    await page.goto(`${site.url}/midjourney?open=1320098173412548`);
    await page.getByRole('heading', { name: 'Failure reason' }).waitFor();
    expect(await page.evaluate(() => 'stolen' in window)).toBe(false);
  });

  it('drawings are filtered by id, status, action, user and channel; an id is found whenever it was', async () => {
    rows.drawing({
      user_id: root,
      channel_id: 1,
      mj_id: 'long-ago',
      prompt: 'old',
      submit_time: (now - 40 * 86_400) * 1000,
    });
    for (const [query, count] of [
      ['', 6],
      ['time=all', 7],
      ['id=long-ago', 1],
      ['status=FAILURE', 2],
      ['action=UPSCALE', 1],
      ['user=root&channel=1', 6],
      ['user=nobody', 0],
      ['channel=2', 0],
    ] as const) {
      await page.goto(`${site.url}/midjourney?${query}`);
      await (count === 0 ? page.getByText('No drawing matches') : tableRows().first()).waitFor();
      expect([query, await tableRows().count()]).toEqual([query, count]);
    }
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await tableRows().first().waitFor();
  });

  it('tasks: songs with players and lyrics, videos, images, failures', async () => {
    const common = { user_id: root, channel_id: 1, created_at: now };
    const clip = (title: string) => ({
      id: title,
      title,
      audio_url: 'https://cdn.example/song.mp3',
      image_url: 'https://cdn.example/cover.png',
      text: '[Verse]\nThe barrier lifts at break of day\n\n[Chorus]\nPay your toll and drive away',
      metadata: { tags: 'indie folk, acoustic', duration: 143.2 },
    });
    const input = (prompt: string, model: string) => JSON.stringify({ input: { prompt }, model });
    rows.task({
      ...common,
      task_id: 'task_songs00000000000000000000000000',
      submit_time: now - 400,
      finish_time: now - 290,
      quota: 50_000,
      properties: input('一首关于收费站清晨的民谣', 'suno_music'),
      data: JSON.stringify([clip('Toll at dawn'), clip('Toll at dusk')]),
    });
    rows.task({
      ...common,
      task_id: 'task_lyrics0000000000000000000000000',
      action: 'LYRICS',
      submit_time: now - 350,
      finish_time: now - 342,
      quota: 5000,
      properties: input('A song about a gate', 'suno_lyrics'),
      data: JSON.stringify({
        id: 'l',
        status: 'complete',
        title: 'Gate',
        text: '[Verse]\nOpen, gate',
      }),
    });
    rows.task({
      ...common,
      task_id: 'task_video00000000000000000000000000',
      platform: 'ali',
      action: 'VIDEO',
      submit_time: now - 300,
      finish_time: now - 200,
      quota: 600_000,
      properties: input('A lorry passes the gate', 'wanx2.1-t2v-turbo'),
      data: JSON.stringify({ output: { video_url: 'https://cdn.example/v.mp4' } }),
    });
    rows.task({
      ...common,
      task_id: 'task_hostile0000000000000000000000000',
      platform: hostile,
      action: hostile,
      status: hostile,
      progress: hostile,
      submit_time: now - 250,
      properties: input(hostile, hostile),
      data: JSON.stringify({
        title: hostile,
        audio_url: 'javascript:alert(1)',
        image_url: 'https://gone.example/x.png',
        text: hostile,
      }),
    });
    const failed = rows.task({
      ...common,
      task_id: 'task_failed0000000000000000000000000',
      status: 'FAILURE',
      submit_time: now - 120,
      finish_time: now - 60,
      fail_reason: 'upstream: no credits left',
      properties: input('A march', 'suno_music'),
    });
    rows.refund(root, 50_000, `task:${failed}`);
    for (const [name, status, progress] of [
      ['queued0', 'QUEUED', '20%'],
      ['submit0', 'SUBMITTED', '0%'],
      ['empty00', '', '0%'],
    ] as const) {
      rows.task({
        ...common,
        task_id: `task_${name}`,
        status,
        progress,
        submit_time: now - 10,
        properties: input(`Waiting ${name}`, 'suno_music'),
      });
    }
    await page.goto(`${site.url}/task`);
    await row('task_songs').waitFor();
    await row('task_queued0').getByText('Waiting in line').waitFor();
    await row('task_submit0').getByText('Queued').waitFor();
    await row('task_empty00').getByText('Submitting').waitFor();
    await row('task_failed').getByText('Refunded').waitFor();
    await row('task_hostile').getByText('Unknown').waitFor();
    await row('task_songs').getByText('Music × 2').waitFor();
    await page.goto(`${site.url}/task?open=task_songs00000000000000000000000000`);
    await page.getByText('Toll at dusk').waitFor();
    const songs = page.getByRole('button', { name: 'Music at cdn.example' });
    await expect.poll(() => songs.count()).toBe(2);
    await songs.first().click();
    await page.locator('audio[src^="/pg/foreign?"]').waitFor();
    expect([await songs.count(), await page.locator('audio').count()]).toEqual([1, 1]);
    await page.goto(`${site.url}/task?open=task_video00000000000000000000000000`);
    await page.getByRole('button', { name: 'Video at cdn.example' }).click();
    // The gateway cannot get it: its own site may show it.
    const original = page.getByRole('link', {
      name: 'Video at cdn.example · cannot be shown here, open it there',
    });
    await expect.poll(() => original.getAttribute('href')).toBe('https://cdn.example/v.mp4');
    await page.goto(`${site.url}/task?open=task_hostile0000000000000000000000000`);
    await page
      .getByRole('button', { name: 'gone.example' })
      .or(page.locator('article button'))
      .first()
      .click();
    await page
      .getByRole('dialog')
      .getByRole('link', { name: 'Picture at gone.example · cannot be shown here' })
      .waitFor();
    await page.keyboard.press('Escape');
    expect(direct).toEqual([]);
    expect(await page.locator('[href^="javascript"], [src^="javascript"]').count()).toBe(0);
    expect(await page.evaluate(() => 'stolen' in window)).toBe(false);
    for (const [query, count] of [
      ['platform=ali', 1],
      ['action=LYRICS', 1],
      ['status=FAILURE', 1],
      ['id=task_queued0', 1],
    ] as const) {
      await page.goto(`${site.url}/task?${query}`);
      await tableRows().first().waitFor();
      expect([query, await tableRows().count()]).toEqual([query, count]);
    }
  });

  it('customers see their own rows without channel and user', async () => {
    await site.api('POST', '/api/user/', { username: 'ann', password: 'a-long-password' });
    rows.drawing({
      user_id: 2,
      channel_id: 1,
      mj_id: 'mine',
      prompt: "Ann's",
      submit_time: now * 1000,
    });
    const own = await site.open({ viewport: wide, locale: 'en-US' }, 'visitor');
    await own.addInitScript(() => localStorage.setItem('i18nextLng', 'en'));
    await own.goto(`${site.url}/login`);
    await own.locator('input[autocomplete="username"]').fill('ann');
    await own.locator('input[type="password"]').fill('a-long-password');
    await own.locator('button[type="submit"]').click();
    await own.waitForURL((url) => !url.pathname.startsWith('/login'));
    await own.goto(`${site.url}/midjourney`);
    await own.getByText("Ann's").waitFor();
    await expect.poll(() => own.locator('tbody tr[data-row]').count()).toBe(1);
    expect(
      await own.getByRole('columnheader', { name: /Channel|User|Submit result/ }).count(),
    ).toBe(0);
    expect(await own.getByText('callbacks are not enabled').count()).toBe(0);
    await own.context().close();
  });

  it.each(variants)('are photographed and pass axe: %s, %s', async (theme, language, viewport) => {
    await page.setViewportSize(viewport);
    await chooseLook(page, theme, language);
    for (const [path, name] of [
      ['/midjourney', 'drawings'],
      ['/midjourney?open=1320098173412546', 'drawings-open'],
      ['/task', 'tasks'],
      ['/task?open=task_songs00000000000000000000000000', 'tasks-open'],
    ] as const) {
      await page.goto(site.url + path);
      await (viewport === phone ? page.locator('main article, main li') : tableRows())
        .first()
        .waitFor();
      if (path.includes('open')) await page.locator('dl dt').first().waitFor();
      await atRest(page);
      await photograph(page, `${name}-${theme}-${language}-${viewport.width}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        viewport.width,
      );
      expect(await violations(page)).toEqual([]);
    }
  });

  it('a failed load says so and tries again', async () => {
    await page.setViewportSize(wide);
    await chooseLook(page, 'light', 'en');
    await page.route('**/api/task/?*', (route) => route.fulfill({ status: 500, body: '{}' }), {
      times: 4,
    });
    await page.goto(`${site.url}/task`);
    await page.getByText('The task log could not be loaded').waitFor();
    await photograph(page, 'tasks-failed');
    await page.unroute('**/api/task/?*');
    await page.getByRole('button', { name: 'Retry' }).click();
    await row('task_songs').waitFor();
  });

  it('what is switched off leaves the sidebar, and its address says so', async () => {
    await site.api('PUT', '/api/option/', { key: 'DrawingEnabled', value: 'false' });
    await site.api('PUT', '/api/option/', { key: 'TaskEnabled', value: 'false' });
    await page.goto(`${site.url}/task`);
    await page.getByRole('heading', { name: 'Tasks are switched off' }).waitFor();
    expect(await page.getByRole('link', { name: /^(Task|Drawing) log$/ }).count()).toBe(0);
    await page.goto(`${site.url}/midjourney`);
    await page.getByRole('heading', { name: 'Drawing is switched off' }).waitFor();
  });
});
