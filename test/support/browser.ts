/** Finds and starts a real browser for tests. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterEachFile } from './hooks.ts';
import { patience, slowPages } from './slow.ts';
import { countUse } from './usage.ts';

/** Where Chromium, Chrome and Edge are installed, by operating system. */
function usualPaths(): readonly string[] {
  if (process.platform === 'win32') {
    const roots = [
      process.env['PROGRAMFILES'],
      process.env['PROGRAMFILES(X86)'],
      process.env['LOCALAPPDATA'],
    ];
    const programs = [
      'Google/Chrome/Application/chrome.exe',
      'Chromium/Application/chrome.exe',
      'Microsoft/Edge/Application/msedge.exe',
    ];
    return roots.flatMap((root) =>
      root === undefined ? [] : programs.map((program) => join(root, program)),
    );
  }
  if (process.platform === 'darwin') {
    return [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    ];
  }
  // The headless shell draws the same pages with a quarter of the work: it has no windows.
  const names = [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    'microsoft-edge',
  ];
  return ['/usr/bin', '/usr/local/bin', '/snap/bin'].flatMap((folder) =>
    names.map((name) => join(folder, name)),
  );
}

/** Path of an installed browser: CHROME_PATH first. Throws if CHROME_PATH does not exist. */
export function findBrowser(): string | undefined {
  const named = process.env['CHROME_PATH'];
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) throw new Error(`CHROME_PATH names no file: ${named}`);
    return named;
  }
  return usualPaths().find((path) => existsSync(path));
}

/** Time limit of whatever a test does on a page. */
const actionMs = 10_000;

let shared: Promise<Browser> | undefined;

/** The browser of this process: a worker starts one, and every site has windows of its own in it. */
export async function openBrowser(): Promise<Browser> {
  countUse('browser');
  shared ??= launch();
  return shared;
}

/** The windows of a file end with it, also where it failed before it closed them. */
afterEachFile(async () => {
  for (const context of (await shared)?.contexts() ?? []) await context.close();
});

async function launch(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error('no browser is installed');
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(actionMs * patience);
    await slowPages(context);
    return context;
  };
  browser.once('disconnected', () => {
    shared = undefined;
  });
  return browser;
}
