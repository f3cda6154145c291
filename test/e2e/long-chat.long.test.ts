/**
 * What a streamed answer costs the browser in a conversation of 200 messages and in one of two
 * (docs/performance.md#console). Work of the main thread, as ratios: other programs make both slower.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';
import { hasTool } from '../support/tools.ts';
import { type Answer, chatReply, sendJson } from '../support/upstream.ts';

/** Pieces of the answer, and milliseconds between two of them. */
const pieces = 150;
const pause = 10;
/** Rounds, in which the two conversations take turns; the middle ratio counts. */
const rounds = 5;
/** Of work: what one answer costs more in the longer conversation. */
const most = 1.3;

/** The whole answer was sent. */
let sent = Promise.withResolvers<void>();

const streamed: Answer = async (response, request) => {
  if (request.json['stream'] !== true) return sendJson(response, 200, {});
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (choice: object) =>
    response.write(
      `data: ${JSON.stringify({ id: 'c', model: siteModel, choices: [{ index: 0, ...choice }] })}\n\n`,
    );
  for (let piece = 0; piece < pieces; piece++) {
    send({ delta: { content: `word ${piece}, ${piece % 20 === 19 ? '\n\n- **next**\n' : ''}` } });
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  send({ delta: { content: 'the end.' }, finish_reason: 'stop' });
  response.end('data: [DONE]\n\n');
  sent.resolve();
};

/** Two of them fill the window: text that grows scrolls in both conversations. */
const message = (index: number) => ({
  id: `m${index}`,
  createAt: 1_790_000_000_000 + index,
  status: 'complete',
  reasoning: '',
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: `Message ${index}: **bold**, \`code\` and a list.\n\n- one\n- two\n\n${'A sentence of some length. '.repeat(40)}`,
  ...(index % 2 === 1 && { model: siteModel, quota: 100, outputTokens: 50, totalMs: 900 }),
});

interface Measured {
  /** Milliseconds of the main thread, from the question to the end of the answer. */
  readonly work: number;
  /** Of these: scripts, styles and layout. */
  readonly parts: string;
  readonly longest: number;
  /** Of the time between two frames, in milliseconds. */
  readonly p95: number;
}

describe.skipIf(!hasTool('browser'))('a streamed answer', () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await startConsoleSite();
    site.upstream.answer(chatReply('ok'));
  });
  afterAll(() => site?.close());

  async function measure(page: Page): Promise<Measured> {
    const session = await page.context().newCDPSession(page);
    // The processor's time: what other programs take is not counted.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const work = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      const of = (wanted: string) =>
        1000 * (metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN);
      return {
        // What the test itself has the page do is not the console's.
        all: of('TaskDuration') - of('DevToolsCommandDuration'),
        parts: [of('ScriptDuration'), of('RecalcStyleDuration'), of('LayoutDuration')],
      };
    };
    await page.evaluate(() => {
      const seen = { frames: [] as number[], longest: 0, last: 0 };
      Object.assign(window, { seen });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries())
          seen.longest = Math.max(seen.longest, duration);
      }).observe({ type: 'longtask' });
      const frame = (now: number) => {
        if (seen.last > 0) seen.frames.push(now - seen.last);
        seen.last = now;
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    });
    await page.getByLabel('Message', { exact: true }).fill('And now?');
    // What the loading of the page left behind is no part of the answer.
    await session.send('HeapProfiler.collectGarbage');
    const before = await work();
    // Looking for its text in the page would cost more, the longer the page is.
    sent = Promise.withResolvers<void>();
    await page.keyboard.press('Enter');
    await sent.promise;
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    const after = await work();
    const { frames, longest } = await page.evaluate(
      () => (window as unknown as { seen: { frames: number[]; longest: number } }).seen,
    );
    await page.getByText('the end.').last().waitFor();
    const sorted = frames.sort((one, other) => one - other);
    return {
      work: after.all - before.all,
      parts: after.parts.map((part, at) => Math.round(part - (before.parts[at] ?? 0))).join(' + '),
      longest,
      p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
    };
  }

  async function openChat(messages: number): Promise<Page> {
    site.upstream.answer(streamed);
    const page = await site.open({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
    await page.addInitScript(
      ([chats, settings]) => {
        const { id: user } = JSON.parse(localStorage.getItem('user') ?? '{}');
        localStorage.setItem('i18nextLng', 'en');
        localStorage.setItem('playground-chats', JSON.stringify({ user, chats, settings }));
      },
      [
        [
          {
            id: 'long',
            changedAt: 1_790_000_000_000,
            spent: 0,
            messages: Array.from({ length: messages }, (_, index) => message(index)),
          },
        ],
        {},
      ] as const,
    );
    await page.goto(`${site.url}/playground?model=${siteModel}`);
    // Drawn as Markdown, which is loaded with the page.
    await page
      .locator('article')
      .filter({ hasText: `Message ${messages - 1}:` })
      .locator('strong')
      .waitFor();
    return page;
  }

  async function answerIn(messages: number): Promise<Measured> {
    const page = await openChat(messages);
    const measured = await measure(page);
    await page.context().close();
    return measured;
  }

  it('has the buttons of a long conversation only near the window, and all where the reader goes', async () => {
    const page = await openChat(200);
    const first = page.locator('article').first();
    const copy = (message: typeof first) => message.getByRole('button', { name: 'Copy message' });
    await copy(page.locator('article').last()).waitFor();
    await expect.poll(() => page.locator('article button').count()).toBeLessThan(150);
    expect(await copy(first).count()).toBe(0);
    await first.scrollIntoViewIfNeeded();
    await copy(first).waitFor();
    // A focus that goes on to a message that is not drawn finds its buttons.
    await page.getByLabel('Message', { exact: true }).focus();
    // Past the way back to the end.
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('article') !== null))
      .toBe(true);
    await page.context().close();
  });

  it(`costs at most ${most} times as much work in a conversation of 200 messages as in one of two`, async () => {
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const work: Record<number, number> = {};
      for (const messages of round % 2 === 0 ? [2, 200] : [200, 2]) {
        const measured = await answerIn(messages);
        console.info(`${messages} messages:`, measured);
        work[messages] = measured.work;
      }
      ratios.push((work[200] ?? Number.NaN) / (work[2] ?? Number.NaN));
    }
    ratios.sort((one, other) => one - other);
    console.info('ratios:', ratios);
    expect(ratios[Math.floor(rounds / 2)]).toBeLessThan(most);
  });
});
