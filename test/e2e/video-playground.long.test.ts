// Covers src/ui/routes/playground/video.
/** The video playground in a real browser, over a server that makes videos as DashScope does. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, startConsoleSite } from '../support/console-site.ts';
import { startVideoUpstream, type VideoUpstream } from '../support/dashscope-videos.ts';
import { makePng } from '../support/images.ts';
import { atRest, violations } from '../support/page-checks.ts';
import { chooseLook, phone, photograph, variants, wide } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';

const text = 'wanx2.1-t2v-turbo';
const picture = 'wanx2.1-i2v-turbo';

describe.skipIf(!hasTool('browser'))('the video playground', () => {
  let site: ConsoleSite;
  let upstream: VideoUpstream;
  let page: Page;

  beforeAll(async () => {
    site = await startConsoleSite();
    // A result is gone a day after its end.
    const beijing = new Date(Date.now() + 8 * 3_600_000)
      .toISOString()
      .replace('T', ' ')
      .replace('Z', '');
    upstream = await startVideoUpstream(beijing);
    const channel = {
      name: 'ali',
      type: 17,
      key: 'sk-ali',
      base_url: upstream.url,
      models: `${text},${picture}`,
      group: 'default',
    };
    await site.api('POST', '/api/channel/', channel);
    await site.api('PUT', '/api/option/', {
      key: 'ModelPrice',
      value: JSON.stringify({ [text]: 0.24, [picture]: 0.3 }),
    });
    page = await site.open({ viewport: wide, locale: 'en-US' });
    await page.addInitScript(
      () => localStorage.getItem('i18nextLng') ?? localStorage.setItem('i18nextLng', 'en'),
    );
  });
  afterAll(async () => {
    await site?.close();
    await upstream?.close();
  });

  const history = () =>
    page.getByRole('region', { name: /^(History|历史记录)$/ }).getByRole('listitem');
  const generate = () => page.getByRole('button', { name: 'Generate video' }).click();
  const balance = async () => (await site.api<{ quota: number }>('GET', '/api/user/self')).quota;
  const kept = () => page.evaluate(() => localStorage.getItem('unfinished-video-tasks'));

  it('begins empty, with the default model, its sizes and its price', async () => {
    await page.goto(`${site.url}/detail`);
    await page.getByRole('link', { name: 'Video', exact: true }).click();
    await page.getByRole('heading', { name: 'No video yet' }).waitFor();
    await page.getByText('Default model: wan2.1模型').waitFor();
    await page.getByText('$0.24 per video').waitFor();
    expect(
      await page
        .getByRole('radio')
        .evaluateAll((all) => all.map((radio) => (radio as HTMLInputElement).value)),
    ).toEqual(['1280*720', '720*1280', '960*960', '832*1088', '1088*832']);
    await generate();
    await page.getByText('Enter a prompt').waitFor();
    expect(upstream.submits).toHaveLength(0);
    await photograph(page, 'video-empty');
  });

  it('orders a video, polls it every five seconds, plays it and offers the download', async () => {
    upstream.script({ polls: ['PENDING', 'RUNNING', 'SUCCEEDED'] });
    const before = await balance();
    await page.getByRole('radio', { name: /9:16/ }).check({ force: true });
    await page
      .getByRole('textbox', { name: 'Prompt' })
      .fill('A lorry passes the toll gate at dawn');
    await generate();
    await history().first().getByText('A lorry passes').waitFor();
    await page.getByText('You can leave and come back later').waitFor();
    await expect.poll(() => kept()).toMatch(/^\["task_\w+"\]$/);
    expect(upstream.submits[0]?.body.parameters['size']).toBe('720*1280');
    expect(before - (await balance())).toBe(120_000);
    await photograph(page, 'video-waiting');
    await page.locator('video').waitFor({ timeout: 30_000 });
    await history().first().getByText('Success').waitFor();
    await expect.poll(() => kept()).toBe('[]');
    const href = await page.getByRole('link', { name: 'Download video' }).getAttribute('href');
    const file = await page.request.get(new URL(href ?? '', page.url()).href);
    expect(file.headers()['content-type']).toBe('video/mp4');
  });

  it('a failed video says why, and is made again by its button', async () => {
    upstream.script({ polls: ['FAILED'] }, { polls: ['SUCCEEDED'] });
    const before = await balance();
    await page.getByRole('textbox', { name: 'Prompt' }).fill('A film that tears');
    await generate();
    await page.getByText('the film tore').waitFor({ timeout: 30_000 });
    expect(await balance()).toBe(before);
    await photograph(page, 'video-failed');
    await page.getByRole('button', { name: 'Generate again' }).click();
    await expect.poll(() => upstream.submits.length).toBe(3);
    await page.locator('video').waitFor({ timeout: 30_000 });
    await expect.poll(() => history().count()).toBe(3);
  });

  it('a link chooses the model; an image makes the video from it', async () => {
    const before = upstream.submits.length;
    const query = new URLSearchParams({
      model: picture,
      enable_group: '["default"]',
      tag: '图生视频',
    });
    await page.goto(`${site.url}/playground/video?${query}`);
    await page.getByRole('heading', { name: picture }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    // With a query nothing is chosen from the history.
    await page.getByRole('heading', { name: 'No video yet' }).waitFor();
    await page.getByText('The aspect ratio follows the image').waitFor();
    await page.getByRole('textbox', { name: 'Prompt' }).fill('It waits at the gate');
    await generate();
    await page.getByText('This model needs an image').waitFor();
    await page.locator('input[type="file"]').setInputFiles({
      name: 'gate.png',
      mimeType: 'image/png',
      buffer: makePng({ width: 320, height: 320 }),
    });
    await page.getByRole('button', { name: 'Replace' }).waitFor();
    await generate();
    await expect.poll(() => upstream.submits.length).toBe(before + 1);
    expect(String(upstream.submits[before]?.body.input['img_url'])).toMatch(/^data:image\//);
    await photograph(page, 'video-image');
  });

  it('what is refused is said above the prompt and can be tried again', async () => {
    upstream.script({ submit: { status: 400, code: 'InvalidParameter' } });
    await page.goto(`${site.url}/playground/video`);
    await page.locator('video').waitFor({ timeout: 30_000 });
    await page.getByRole('textbox', { name: 'Prompt' }).fill('refused');
    await generate();
    await page.getByRole('alert').getByText('InvalidParameter').first().waitFor();
    await photograph(page, 'video-refused');
  });

  it('a poll that fails ends silently; the next visit polls again', async () => {
    upstream.script({ polls: ['RUNNING'] });
    await page.goto(`${site.url}/playground/video`);
    await page.route('**/pg/videos/generations/task_*', (route) =>
      route.fulfill({ status: 500, body: '{}' }),
    );
    await page.getByRole('textbox', { name: 'Prompt' }).fill('A long film');
    await generate();
    await history().first().getByText('A long film').waitFor();
    await page.getByText('You can leave and come back later').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
    upstream.turn('SUCCEEDED');
    await page.goto(`${site.url}/playground/video`);
    await page.locator('video').waitFor({ timeout: 30_000 });
  });

  it('videos are in the task log with a player', async () => {
    await page.goto(`${site.url}/task?action=VIDEO`);
    await page.locator('tbody tr[data-row]').filter({ hasText: 'A long film' }).click();
    await page.locator('video[src*="/content?exp="]').waitFor();
  });

  it.each(variants)('is photographed and passes axe: %s, %s', async (theme, language, viewport) => {
    await page.setViewportSize(viewport);
    await chooseLook(page, theme, language);
    await page.goto(`${site.url}/playground/video`);
    await history().first().waitFor();
    await page.locator('video').waitFor();
    await atRest(page);
    await photograph(page, `video-${theme}-${language}-${viewport.width}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      viewport.width,
    );
    expect(await violations(page)).toEqual([]);
    if (viewport !== phone) return;
    await page.getByRole('button', { name: /^(Open settings|打开参数)$/ }).click();
    await page.getByRole('radio').first().waitFor({ state: 'attached' });
    await photograph(page, `video-settings-${theme}-${language}-390`);
    expect(await violations(page)).toEqual([]);
  });
});
