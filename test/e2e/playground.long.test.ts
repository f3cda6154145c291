// Covers src/ui/routes/playground/chat, src/ui/routes/playground/gallery, src/ui/routes/playground/image.
/**
 * The playgrounds in a real browser, against an upstream that answers slowly, breaks off and
 * refuses.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';
import { overflow, violations } from '../support/page-checks.ts';
import { chooseLook, phone, photograph, variants, wide } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';
import { type Answer, chatStream, errorReply, sendJson } from '../support/upstream.ts';

const usage = { prompt_tokens: 20, completion_tokens: 86, total_tokens: 106 };
const markdown = `Charged by what arrived, in three steps:

1. **Hold**: an estimate before the call.
2. **Settle**: by the usage of the upstream.
3. **Return**: the remainder at once.

\`\`\`ts
const used = usage ?? count(delivered); // what arrived
await ledger.settle(hold.id, "cost");
\`\`\`

<script>window.stolen = true</script>

| model | price |
|---|---|
| a | $1 |

The hold is $t \\times p_\\text{in}$, and in full:

\\[ c = \\int_0^1 p\\,(x)\\,dx \\]

\`\`\`mermaid
flowchart LR
  hold["Hold"] --> settle["Settle"]
\`\`\`

![How streams are charged](https://charts.example/streams.png)
`;
/** A single point. */
const image =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const says = (text: string): Answer => chatStream(text.split(/(?<= )/), usage);
/** Begins to answer and goes on when the test says so. */
function heldAnswer(words: readonly string[]): { readonly answer: Answer; go(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    go: () => resolve(),
    answer: async (response, request) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = (content: string) =>
        response.write(
          `data: ${JSON.stringify({ id: 'c', model: request.json['model'], choices: [{ index: 0, delta: { content } }] })}\n\n`,
        );
      send(words[0] ?? '');
      await promise;
      for (const word of words.slice(1)) send(word);
      response.write(
        `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`,
      );
      response.end('data: [DONE]\n\n');
    },
  };
}

describe.skipIf(!hasTool('browser'))('playgrounds', () => {
  let site: ConsoleSite;
  let page: Page;

  beforeAll(async () => {
    site = await startConsoleSite();
    await site.api('PUT', '/api/option/', {
      key: 'GroupRatio',
      value: JSON.stringify({ default: 1, vip: 0.8, empty: 1 }),
    });
    await site.api('PUT', '/api/option/', {
      key: 'UserUsableGroups',
      value: JSON.stringify({ default: 'Default', vip: 'VIP', empty: 'Empty' }),
    });
    const models = `${siteModel},claude-sonnet-4-5,dall-e-3,dall-e-2`;
    const channel = {
      name: 'second',
      type: 1,
      key: 'sk-b',
      base_url: site.upstream.url,
      models,
      group: 'default,vip',
    };
    await site.api('POST', '/api/channel/', channel);
    page = await site.open({
      viewport: wide,
      locale: 'en',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(`${site.url}/detail`);
    await chooseLook(page, 'light', 'en');
  });
  afterAll(() => site?.close());
  beforeEach(() => site.upstream.answer(says('Fine. ')));

  const input = () => page.getByLabel('Message', { exact: true });
  const answers = () => page.locator('article[aria-busy]');
  const last = () => answers().last();
  const openChat = async (query = '') => {
    await page.goto(`${site.url}/playground${query}`);
    await input().waitFor();
  };
  const startOver = async () => {
    await page.evaluate(() => localStorage.removeItem('playground-chats'));
    await openChat();
  };
  const ask = async (text: string) => {
    await input().fill(text);
    await input().press('Enter');
  };
  const isDone = () => expect.poll(() => last().getAttribute('aria-busy')).toBe('false');
  const lastSent = () =>
    site.upstream.requests.at(-1)?.json as {
      messages: { role: string; content: string }[];
      model: string;
    };

  it('streams an answer with Markdown and code, and shows its exact charge', async () => {
    await startOver();
    const held = heldAnswer(['Charged by ', markdown.slice('Charged by '.length)]);
    site.upstream.answer(held.answer);
    await ask('How are streams charged?');
    await last().getByText('Charged by').waitFor();
    await expect.poll(() => last().getAttribute('aria-busy')).toBe('true');
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    held.go();
    await isDone();
    await expect.poll(() => last().locator('ol > li').count()).toBe(3);
    await expect.poll(() => last().locator('figcaption').innerText()).toContain('ts');
    // Formulas are set, with the thin spaces that Markdown takes for escapes; diagrams are pictures.
    await last().locator('[data-formula="display"] math').waitFor();
    const sources = await last().locator('annotation').allTextContents();
    expect(sources).toEqual(['t \\times p_\\text{in}', 'c = \\int_0^1 p\\,(x)\\,dx']);
    const diagram = last().getByRole('img', { name: 'Diagram' });
    await expect
      .poll(() => diagram.evaluate((picture: HTMLImageElement) => picture.naturalWidth))
      .toBeGreaterThan(100);
    await last().getByRole('button', { name: 'Show the text of the diagram' }).click();
    await last().getByText('flowchart LR').waitFor();
    await last().getByRole('button', { name: 'Show the diagram' }).click();
    await diagram.waitFor();
    // HTML of an answer is text.
    await expect.poll(() => last().getByText('<script>').count()).toBe(1);
    expect(await page.evaluate(() => 'stolen' in window)).toBe(false);
    await last().getByRole('button', { name: 'Copy code' }).first().click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toContain('ledger.settle');
    await last()
      .getByText(/^Cost \$0\.\d+/)
      .waitFor();
    const { items } = await site.api<{ items: { quota: number; token_name: string }[] }>(
      'GET',
      '/api/log/self?type=2&page_size=1',
    );
    expect(items[0]).toMatchObject({ token_name: 'playground-default' });
    const shown = await last().getByText(/^Cost/).innerText();
    expect(Number(shown.replace('Cost $', '')) * 500_000).toBeCloseTo(items[0]?.quota ?? 0, 0);
    await expect
      .poll(() => page.locator('aside dl').innerText())
      .toContain(shown.replace('Cost ', ''));
    expect(lastSent().messages.map(({ role }) => role)).toEqual(['system', 'user']);
  });

  it('keeps prompts and, when it is switched on, chats for another browser', async () => {
    await startOver();
    await input().fill('Draw a red gate.');
    await page.getByRole('button', { name: 'Kept prompts' }).click();
    await page.getByRole('button', { name: 'Keep what I wrote' }).click();
    await page.getByLabel('Name').fill('Gate');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: /^Gate/ }).waitFor();
    await photograph(page, 'playground-prompts');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();
    const history = page.getByRole('switch', { name: 'Keep chats on the server' });
    await history.click();
    await expect.poll(() => history.isChecked()).toBe(true);
    await expect.poll(() => history.getAttribute('aria-busy')).toBe('false');
    await ask('Who keeps this?');
    await isDone();
    await photograph(page, 'playground-on-server');
    expect(await violations(page)).toEqual([]);
    await expect
      .poll(async () => JSON.stringify(await site.api('GET', '/api/turnpike/self/chats')))
      .toContain('Fine. ');

    const other = await site.open({ viewport: phone, locale: 'en' });
    await other.goto(`${site.url}/detail`);
    await chooseLook(other, 'dark', 'zh');
    await other.goto(`${site.url}/playground/image`);
    await other.getByRole('button', { name: '提示词库' }).click();
    await other.getByRole('button', { name: /^Gate/ }).waitFor();
    await photograph(other, 'playground-prompts-phone');
    expect(await overflow(other)).toBe(0);
    expect(await violations(other)).toEqual([]);
    await other.getByRole('button', { name: /^Gate/ }).click();
    await expect
      .poll(() => other.getByLabel('提示词', { exact: true }).inputValue())
      .toBe('Draw a red gate.');
    await other.goto(`${site.url}/playground`);
    await other.getByRole('button', { name: '历史对话' }).click();
    await other.getByRole('menuitem', { name: 'Who keeps this?' }).click();
    await other.getByText('Fine.').waitFor();
    // A phone's camera is one button away.
    const camera = other.locator('input[type="file"][aria-label="拍照"]');
    expect(await camera.getAttribute('capture')).toBe('environment');
    await other.context().close();

    await history.click({ force: true });
    await page.getByRole('button', { name: 'Stop keeping' }).click();
    await expect.poll(() => history.isChecked()).toBe(false);
    await expect.poll(() => site.api('GET', '/api/turnpike/self/chats')).toEqual([]);
    // The page has noted it, too: it stores the chats once more.
    const stored = () => page.evaluate(() => localStorage.getItem('playground-chats'));
    await expect.poll(stored).not.toContain('"kept"');
  });

  it('keeps the conversation over a reload; sends it along; regenerates, edits and deletes', async () => {
    await startOver();
    await ask('first');
    await isDone();
    await page.reload();
    await last().getByText('Fine.').waitFor();
    site.upstream.answer(says('Second. '));
    await ask('again');
    await last().getByText('Second.').waitFor();
    await isDone();
    expect(
      lastSent()
        .messages.slice(1)
        .map(({ content }) => content.trim()),
    ).toEqual(['first', 'Fine.', 'again']);
    site.upstream.answer(says('Third. '));
    await last().getByRole('button', { name: 'Regenerate' }).click();
    await last().getByText('Third.').waitFor();
    await isDone();
    await expect.poll(() => answers().count()).toBe(2);
    // The answer before is a version.
    await last().getByRole('button', { name: 'Earlier version' }).click();
    await last().getByText('Second.').waitFor();
    await last().getByText('1 of 2', { exact: true }).waitFor();
    await last().getByRole('button', { name: 'Later version' }).click();
    await last().getByText('Third.').waitFor();
    const own = page.getByRole('article', { name: 'You' });
    await own.first().getByRole('button', { name: 'Edit and resend' }).click();
    await page.getByRole('textbox', { name: 'Edit and resend' }).fill('changed');
    await page.getByRole('button', { name: 'Resend', exact: true }).click();
    await expect.poll(() => answers().count()).toBe(1);
    await isDone();
    expect(lastSent().messages.slice(1)).toEqual([{ role: 'user', content: 'changed' }]);
    await last().getByRole('button', { name: 'Delete message' }).click();
    await expect.poll(() => answers().count()).toBe(0);
    await page.getByRole('button', { name: 'Delete chat' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete chat' }).click();
    await page.getByText('Hello, how can I help?').waitFor();
  });

  it('stops: what came stays, is charged, and the conversation goes on', async () => {
    await startOver();
    const held = heldAnswer(['Half of it ', 'the rest']);
    site.upstream.answer(held.answer);
    await ask('tell');
    await last().getByText('Half of it').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await last().getByText('Stopped').waitFor();
    held.go();
    await last().getByText(/^Cost/).waitFor();
    expect(await last().innerText()).not.toContain('the rest');
  });

  it('takes pictures and texts by button, paste and drop, keeps them over a reload, and forgets them', async () => {
    await startOver();
    await page
      .getByLabel('Attach files')
      .first()
      .setInputFiles({
        name: 'gate.png',
        mimeType: 'image/png',
        buffer: Buffer.from(image, 'base64'),
      });
    const form = page.locator('form').filter({ has: input() });
    await form.getByRole('img', { name: 'gate.png' }).waitFor();
    const give = (type: 'paste' | 'drop', name: string, text: string | number[]) =>
      input().evaluate(
        (field, [kind, called, content]) => {
          const data = new DataTransfer();
          const bytes = typeof content === 'string' ? content : new Uint8Array(content);
          data.items.add(new File([bytes], called));
          const init = { bubbles: true, cancelable: true };
          field.dispatchEvent(
            kind === 'paste'
              ? new ClipboardEvent('paste', { ...init, clipboardData: data })
              : new DragEvent('drop', { ...init, dataTransfer: data }),
          );
        },
        [type, name, text] as const,
      );
    await give('paste', 'notes.txt', 'Tolls of the week');
    await form.getByText('notes.txt').waitFor();
    await give('drop', 'more.csv', 'day,toll');
    await form.getByText('more.csv').waitFor();
    await give('drop', 'tool.exe', [77, 90, 0, 3, 255]);
    await form.getByText('tool.exe cannot be read', { exact: false }).waitFor();
    await form.getByRole('button', { name: 'Remove more.csv' }).click();
    await ask('What is this?');
    await isDone();
    const url = expect.stringMatching(/^data:image\/png;base64,/);
    expect(lastSent().messages[1]?.content).toEqual([
      { type: 'image_url', image_url: expect.objectContaining({ url }) },
      { type: 'text', text: 'notes.txt:\n```\nTolls of the week\n```' },
      { type: 'text', text: 'What is this?' },
    ]);
    await page.reload();
    const own = page.getByRole('article', { name: 'You' });
    const shown = own.getByRole('img', { name: 'gate.png' });
    await expect
      .poll(() => shown.evaluate((picture: HTMLImageElement) => picture.naturalWidth))
      .toBe(1);
    await photograph(page, 'playground-chats');
    expect(await violations(page)).toEqual([]);
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          indexedDB.deleteDatabase('playground-chats').onsuccess = resolve;
        }),
    );
    await page.reload();
    await own.getByText('gate.png is no longer in this browser').waitFor();
    await last().getByRole('button', { name: 'Regenerate' }).click();
    await last()
      .getByText('Delete its message, or attach the file again.', { exact: false })
      .waitFor();
  });

  it('asks two models side by side, each with its time, tokens and cost; both stay', async () => {
    await startOver();
    site.upstream.answer((response, request) =>
      says(`I am ${String(request.json['model'])}. `)(response, request),
    );
    await ask('Who are you?');
    await isDone();
    const [one, two] = [siteModel, 'claude-sonnet-4-5'];
    await page.getByRole('combobox', { name: 'Compare with' }).selectOption(two);
    const column = (name: string) => page.getByRole('region', { name, exact: true });
    const first = await page.locator('h1').innerText();
    const other = first.trim() === one ? two : one;
    if (other !== two)
      await page.getByRole('combobox', { name: 'Compare with' }).selectOption(other);
    await ask('And now?');
    for (const name of [one, two]) {
      const answer = column(name).locator('article[aria-busy="false"]').last();
      await answer.getByText(`I am ${name}.`).waitFor();
      await answer.getByText(/^Cost \$0\.\d+/).waitFor();
      await answer.getByText('86 tokens').waitFor();
      await answer.getByText(/^\d.* s$/).waitFor();
    }
    await photograph(page, 'playground-compare');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Copy as code' }).click();
    const code = page.getByRole('dialog', { name: 'Copy as code' });
    await code.getByText('Anthropic', { exact: true }).click();
    await code.getByText('Python', { exact: true }).click();
    await code.getByRole('button', { name: 'Copy code' }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/^from anthropic import Anthropic[\s\S]*"And now\?"/);
    await photograph(page, 'playground-code');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    // Leaving the screen ends nothing; the second model knows what was said before.
    await page.getByRole('link', { name: 'Images' }).click();
    await page.getByRole('link', { name: 'Chat', exact: true }).click();
    await column(other).getByText('Who are you?').waitFor();
    await page.getByRole('button', { name: 'End the comparison' }).click();
    await page.getByRole('button', { name: 'Earlier chats' }).click();
    await page.getByRole('menuitem', { name: `Who are you? · ${other}` }).click();
    await last().getByText(`I am ${other}.`).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Earlier chats' }).waitFor();
  });

  it('shows errors in the message, with what can be done', async () => {
    await startOver();
    site.upstream.answer(errorReply(401, { message: 'bad key' }));
    await ask('hello');
    await last()
      .getByText(/rejected the channel's account/)
      .waitFor();
    // A 401 of the upstream does not end the login.
    expect(new URL(page.url()).pathname).toBe('/playground');
    site.upstream.answer(chatStream(['Part ', 'of it '], null, { end: 'cut' }));
    await last().getByRole('button', { name: 'Retry' }).click();
    await last()
      .getByText(/connection broke/i)
      .waitFor();
    await expect.poll(() => last().innerText()).toContain('Part');
    await page.route('**/pg/chat/completions', (route) =>
      route.fulfill({
        status: 403,
        json: { error: { message: 'no', code: 'insufficient_user_quota', type: 'new_api_error' } },
      }),
    );
    await last().getByRole('button', { name: 'Retry' }).click();
    await last().getByText('insufficient balance').waitFor();
    await expect
      .poll(() => last().getByRole('link', { name: 'Top up' }).getAttribute('href'))
      .toBe('/topup');
    await page.unrouteAll({ behavior: 'wait' });
    await page.route('**/pg/chat/completions', (route) =>
      route.fulfill({
        status: 400,
        json: { error: { message: 'x', code: 'y', type: 'illegal_image' } },
      }),
    );
    await last().getByRole('button', { name: 'Retry' }).click();
    await last()
      .getByText(/prohibited content/)
      .waitFor();
    site.upstream.answer(says('Fine. '));
    await page.unrouteAll({ behavior: 'wait' });
    await last().getByRole('button', { name: 'Retry' }).click();
    await last().getByText('Fine.').waitFor();
  });

  it('folds reasoning; Enter while an input method composes does not send', async () => {
    await startOver();
    site.upstream.answer(says('<think>The reader wants brevity.</think>Short. '));
    await ask('think');
    await isDone();
    const folded = last().locator('details');
    expect([await folded.getAttribute('open'), await last().getByText('Short.').count()]).toEqual([
      null,
      1,
    ]);
    await folded.locator('summary').click();
    await page.getByText('The reader wants brevity.').waitFor();
    const count = await answers().count();
    await input().fill('未完');
    await input().evaluate((field) =>
      field.dispatchEvent(
        new KeyboardEvent('keydown', {
          key: 'Enter',
          isComposing: true,
          bubbles: true,
          cancelable: true,
        }),
      ),
    );
    await input().press('Shift+Enter');
    expect([await input().inputValue(), await answers().count()]).toEqual(['未完\n', count]);
  });

  it('follows the end, unless the reader scrolled up', async () => {
    await startOver();
    const lines = Array.from({ length: 60 }, (_, index) => `line ${index}\n\n`).join('');
    const held = heldAnswer([lines, `${lines}the end`]);
    site.upstream.answer(held.answer);
    await ask('long');
    // a paragraph of its own: drawn as Markdown, which is lower than plain text
    await page.locator('p', { hasText: /^line 59$/ }).waitFor();
    const scroller = page
      .locator('section > div')
      .filter({ has: page.locator('article') })
      .first();
    const fromEnd = () =>
      scroller.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    await expect.poll(fromEnd).toBeLessThan(4);
    await scroller.hover();
    await page.mouse.wheel(0, -600);
    await page.getByRole('button', { name: 'Scroll to the end' }).waitFor();
    held.go();
    await isDone();
    expect(await fromEnd()).toBeGreaterThan(400);
    await page.getByRole('button', { name: 'Scroll to the end' }).click();
    await expect.poll(fromEnd).toBeLessThan(4);
  });

  it('takes model and group from a link; says that a group has no model; an expired link says so', async () => {
    await startOver();
    const groups = encodeURIComponent(JSON.stringify(['vip']));
    await openChat(`?model=claude-sonnet-4-5&enable_group=${groups}&expired=true`);
    await page.getByText(/login expired/i).waitFor();
    await page.getByRole('heading', { name: 'claude-sonnet-4-5' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await ask('hello');
    await isDone();
    expect(lastSent().model).toBe('claude-sonnet-4-5');
    // The list of models is loaded when it is opened.
    await page.getByRole('combobox', { name: 'Model' }).click();
    await page.getByRole('listbox').getByRole('option', { name: siteModel }).click();
    await page.getByRole('heading', { name: siteModel }).waitFor();
    await page.getByRole('combobox', { name: 'Group' }).selectOption('empty');
    await page.getByText('No model available').waitFor();
    expect(await input().count()).toBe(0);
  });

  it('makes images, with their cost, a download and what went wrong', async () => {
    site.upstream.answer((response) =>
      sendJson(response, 200, { created: 1, data: [{ b64_json: image }] }),
    );
    await page.goto(`${site.url}/playground/image?model=dall-e-3&enable_group=%5B%22default%22%5D`);
    await page.getByRole('heading', { name: 'dall-e-3' }).waitFor();
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.getByText('Enter a prompt').waitFor();
    await page.getByLabel('Prompt', { exact: true }).fill('a toll gate');
    await page.getByRole('combobox', { name: 'Size' }).selectOption('1792x1024');
    await page.getByRole('combobox', { name: 'Quality' }).selectOption('hd');
    const costs = page.getByText(/^Costs (about )?\$/);
    const told = (await costs.innerText()).replace(/^.*\$/, '');
    await page.getByRole('button', { name: 'Generate' }).click();
    const made = page.getByRole('img', { name: 'a toll gate, image 1' });
    await made.waitFor();
    await page.getByText(`Cost $${told}`, { exact: true }).waitFor();
    // What was paid is there after a reload.
    await page.reload();
    await made.waitFor();
    await page.getByText(`Cost $${told}`, { exact: true }).waitFor();
    await page.getByLabel('Prompt', { exact: true }).fill('a toll gate');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download image' }).click();
    expect((await download).suggestedFilename()).toBe('a toll gate-1.png');
    site.upstream.answer(
      errorReply(400, {
        message: 'refused by the safety system',
        code: 'content_policy_violation',
      }),
    );
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.getByText('refused by the safety system').waitFor();
    await photograph(page, 'playground-image');
  });

  /** Cards of the same name stand in the view that it takes the place of. */
  const openGallery = async () => {
    await page.getByRole('button', { name: 'Gallery' }).click();
    await page.getByText('Videos', { exact: true }).waitFor();
  };

  it('loses no image that was paid: the page is left, the gallery has it, to use again, edit and delete', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    site.upstream.answer(async (response) => {
      ask();
      await answered;
      sendJson(response, 200, { created: 1, data: [{ b64_json: image }] });
    });
    await page.goto(`${site.url}/playground/image?model=dall-e-3&enable_group=%5B%22default%22%5D`);
    await page.getByRole('heading', { name: 'dall-e-3' }).waitFor();
    await page.getByLabel('Prompt', { exact: true }).fill('a bridge at night');
    await page.getByRole('combobox', { name: 'Quality' }).selectOption('hd');
    await page.getByRole('button', { name: 'Generate' }).click();
    await asked;
    await page.goto(`${site.url}/detail`);
    answer();
    await page.goto(`${site.url}/playground/image`);
    await page.getByRole('img', { name: 'a bridge at night, image 1' }).waitFor();
    await openGallery();
    await page.waitForURL('**/playground/image?view=gallery');
    const card = page.getByRole('article', { name: 'a bridge at night' });
    await card.getByRole('img').waitFor();
    const download = page.waitForEvent('download');
    await card.getByRole('link', { name: 'Download' }).click();
    await download;
    await photograph(page, 'playground-gallery');
    for (const kind of ['Videos', 'Music', 'Drawings']) {
      await page.getByText(kind, { exact: true }).click();
      await page.getByText('Nothing here yet').waitFor();
    }
    await page.getByText('Images', { exact: true }).last().click();
    await card.getByRole('button', { name: 'Use again' }).click();
    const prompt = page.getByLabel('Prompt', { exact: true });
    await expect.poll(() => prompt.inputValue()).toBe('a bridge at night');
    expect(await page.getByRole('combobox', { name: 'Quality' }).inputValue()).toBe('hd');
    await openGallery();
    await card.getByRole('button', { name: 'Edit' }).click();
    await page.getByText('The next order edits this image').waitFor();
    await photograph(page, 'playground-image-edit');
    await prompt.fill('by day');
    site.upstream.answer((response) =>
      sendJson(response, 200, { created: 1, data: [{ b64_json: image }] }),
    );
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.getByRole('img', { name: 'by day, image 1' }).waitFor();
    expect(site.upstream.requests.at(-1)?.path).toBe('/v1/images/edits');
    await openGallery();
    await card.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await card.waitFor({ state: 'detached' });
    await page.getByRole('article', { name: 'by day' }).waitFor();
  });

  it('leads to chat clients: in a frame, of the computer, and by chat2link', async () => {
    const chats = [
      { Web: `${site.upstream.url}/chat?key={key}&url={address}` },
      { App: 'cherrystudio://open?key={key}' },
    ];
    await site.api('PUT', '/api/option/', { key: 'Chats', value: JSON.stringify(chats) });
    await site.api('PUT', '/api/option/', {
      key: 'ChatLink2',
      value: `${site.upstream.url}/next/`,
    });
    site.upstream.answer((response) => {
      response.setHeader('content-type', 'text/html').end('<h1>client</h1>');
    });
    await page.goto(`${site.url}/chat/0`);
    const frame = page.locator('iframe');
    await frame.waitFor();
    await expect
      .poll(() => frame.getAttribute('src'))
      .toMatch(/\/chat\?key=sk-\w{48}&url=http%3A%2F%2F127/);
    expect(await frame.getAttribute('sandbox')).not.toContain('allow-top-navigation');
    await page.goto(`${site.url}/chat/1`);
    await expect
      .poll(() => page.getByRole('link', { name: 'Open App' }).getAttribute('href'))
      .toMatch(/^cherrystudio:/);
    await page.goto(`${site.url}/chat/7`);
    await page.getByText('There is no such chat app').waitFor();
    await page.goto(`${site.url}/chat2link`);
    await page.waitForURL((url) => url.href.startsWith(`${site.upstream.url}/next/#/?settings=`));
    const settings = new URL(page.url()).hash.replace('#/?settings=', '');
    expect(JSON.parse(decodeURIComponent(settings))).toMatchObject({
      key: expect.stringMatching(/^sk-/),
      url: site.url,
    });
    const items = await site.api<{ id: number }[]>('GET', '/api/token/?p=0&size=100');
    for (const { id } of items)
      await site.api('PUT', '/api/token/?status_only=true', { id, status: 2 });
    await page.goto(`${site.url}/chat/0`);
    await page.getByText(/no enabled token/).waitFor();
    await page.waitForURL('**/token');
  });

  it.each(variants)('looks right and passes axe, %s %s', async (theme, language, viewport) => {
    await page.setViewportSize(viewport);
    await page.goto(`${site.url}/detail`);
    await page.evaluate(() => localStorage.removeItem('playground-chats'));
    await chooseLook(page, theme, language);
    site.upstream.answer(says(markdown));
    await page.goto(`${site.url}/playground`);
    const field = page.locator('form textarea');
    await field.waitFor();
    await photograph(page, `playground-empty-${language}-${theme}-${viewport.width}`);
    await field.fill('预付费网关里，流式请求中途断线该怎么计费？');
    await page.locator('form button[type="submit"]').click();
    await isDone();
    await page.locator('[data-figures="complete"]').filter({ hasText: '$' }).waitFor();
    site.upstream.answer(errorReply(401, { message: 'bad key' }));
    await field.fill('Go on');
    await page.locator('form button[type="submit"]').click();
    await last().getByRole('alert').waitFor();
    await photograph(page, `playground-${language}-${theme}-${viewport.width}`);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
    ).toBeLessThanOrEqual(0);
    expect(await violations(page)).toEqual([]);
    if (viewport.width < 600) {
      await page
        .getByRole('button', { name: language === 'zh' ? '打开参数' : 'Open settings' })
        .click();
      await page.getByRole('dialog').waitFor();
      await photograph(page, `playground-sheet-${language}-${theme}`);
      expect(await violations(page)).toEqual([]);
    }
    await page.goto(`${site.url}/playground/image`);
    await field.waitFor();
    await photograph(page, `playground-image-${language}-${theme}-${viewport.width}`);
    expect(await violations(page)).toEqual([]);
    await page.goto(`${site.url}/playground/image?view=gallery`);
    await page.getByRole('article').getByRole('img').first().waitFor();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await photograph(page, `playground-gallery-${language}-${theme}-${viewport.width}`);
    expect(await violations(page)).toEqual([]);
  });
});
