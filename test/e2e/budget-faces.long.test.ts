/**
 * One budget seen by console, command line and terminal: made and raised by one of them, bitten by a
 * request, and the same in all three. budgets.long.test.ts makes one in the console's form.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkFrame } from '../cli/screens/check-frame.ts';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';
import { program } from '../support/program.ts';
import { wide } from '../support/screenshots.ts';
import { openTerminal, type TestTerminal } from '../support/terminal.ts';
import { hasTool } from '../support/tools.ts';

const run = promisify(execFile);
/** What a request to the scripted upstream costs, in quota: $0.0075. */
const cost = 3750;
/** Enough for the smaller hold of one, and not of another after it. */
const amount = 5200;

interface Status {
  readonly items: readonly {
    readonly id: number;
    readonly name: string;
    readonly windows: readonly {
      readonly id: number;
      readonly spent: number;
      readonly limit: number;
    }[];
  }[];
}

const hasTools = hasTool('browser') && hasTool('tmux');
describe.skipIf(!hasTools)('the faces of a budget', () => {
  let site: ConsoleSite;
  let page: Page;
  let terminal: TestTerminal;
  const onSite = () => ['--data-dir', site.gateway.dataDir, '--lang', 'en'];
  const turnpike = async (...words: readonly string[]) =>
    (await run(process.execPath, [program, ...words, ...onSite()])).stdout;

  beforeAll(async () => {
    site = await startConsoleSite();
    page = await site.open({ viewport: wide, locale: 'en-US' });
    await page.addInitScript(() => localStorage.setItem('i18nextLng', 'en'));
    terminal = await openTerminal(120, 40);
    const words = [`'${process.execPath}' '${program}' tui`, ...onSite()];
    await terminal.run(`clear; ${words.join(' ')}`);
    await terminal.see(/ rpm /);
  });
  afterAll(async () => {
    await terminal?.close();
    await site?.close();
  });

  const refused = expect.objectContaining({ status: 429, code: 'budget_exceeded' });
  const windowOf = async (name: string) => {
    const { items } = JSON.parse(await turnpike('budgets', 'status', '--json')) as Status;
    const found = items.find((item) => item.name === name);
    return { id: found?.id ?? 0, window: found?.windows[0] };
  };

  /** `shown`: how much was spent of how much, as all three write it. */
  async function expectFaces(name: string, spent: number, shown: readonly [string, string]) {
    const [share, limit] = shown;
    const { window } = await windowOf(name);
    expect(window).toMatchObject({ spent });
    const printed = await turnpike('budgets', 'status');
    expect(printed.slice(printed.indexOf(name))).toContain(`${share} %`);
    await terminal.press('r');
    const frame = await terminal.see(new RegExp(`${name} .* ${share} % .*/ \\${limit}`));
    checkFrame(frame, 120, 40, name);
    await page.goto(`${site.url}/budget`);
    const row = page.getByRole('row').filter({ hasText: name });
    await row.getByText(`of ${limit}`).waitFor();
    await row.getByText('Within').waitFor();
  }

  async function spendItUp() {
    await site.chat(siteModel);
    const before = site.upstream.requests.length;
    await expect(site.chat(siteModel)).rejects.toEqual(refused);
    expect(site.upstream.requests).toHaveLength(before);
  }

  it('by command', async () => {
    await terminal.press('B');
    const words = ['--owner', 'token', '--owner-id', '1', '--amount', String(amount)];
    await turnpike('budgets', 'add', ...words, '--period', 'total', '--name', 'by-command');
    await spendItUp();
    await expectFaces('by-command', cost, ['72', '$0.01']);
    const { id, window } = await windowOf('by-command');
    const more = ['--window', String(window?.id), '--amount', '2500000'];
    await turnpike('budgets', 'grant', String(id), ...more);
    await site.chat(siteModel);
    await expectFaces('by-command', 2 * cost, ['0', '$5.01']);
    await turnpike('budgets', 'delete', String(id), '--yes');
  });

  it('in the terminal', async () => {
    await terminal.press('B', 'n');
    await terminal.see(/for \(token 12, user 7/);
    await terminal.press('C-u', 'token 1', 'Enter');
    await terminal.see(/amount \(500000 or \$1\)/);
    await terminal.press('C-u', String(amount), 'Enter');
    await terminal.see(/period \(hour/);
    await terminal.press('C-u', 'total', 'Enter');
    await terminal.see(/name \(may be empty\)/);
    await terminal.press('by-key', 'Enter');
    await terminal.see(/Made budget #\d/);
    await spendItUp();
    await expectFaces('by-key', cost, ['72', '$0.01']);
    await terminal.press('g', 'a');
    await terminal.see(/add to this window of by-key/);
    await terminal.press('$5', 'Enter');
    await terminal.see(/Added to by-key/);
    await site.chat(siteModel);
    await expectFaces('by-key', 2 * cost, ['0', '$5.01']);
  });

  it('in the console, raised there', async () => {
    const { id } = await windowOf('by-key');
    await turnpike('budgets', 'delete', String(id), '--yes');
    await page.goto(`${site.url}/budget?owner=token&of=1&new=1`);
    const drawer = page.getByRole('dialog', { name: 'New budget' });
    await drawer.getByRole('textbox', { name: 'Amount' }).fill(String(amount));
    await drawer.getByRole('textbox', { name: 'Name' }).fill('by-hand');
    await drawer.getByRole('button', { name: 'New budget' }).click();
    const row = page.getByRole('row').filter({ hasText: 'by-hand' });
    await row.waitFor();
    // The month has the requests before it.
    await expect(site.chat(siteModel)).rejects.toEqual(refused);
    const made = await windowOf('by-hand');
    await page.goto(`${site.url}/budget?grant=${made.window?.id}`);
    await page.getByRole('button', { name: 'Add $5.00' }).click();
    await page.getByText('Amount added').waitFor();
    await site.chat(siteModel);
    await expectFaces('by-hand', 5 * cost, ['0', '$5.01']);
  });
});
