/** Photographs of the console for people to look at: the window, theme and language of each. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

export const keepsPhotographs = process.env['TEST_SCREENSHOTS'] === 'true';

const folder = join(import.meta.dirname, '../../screenshots');

/**
 * Keeps a photograph as `screenshots/<name>.png` where they are wanted (`npm run test:all --
 * --screenshots`). No test reads them, and three hundred take minutes.
 */
export async function photograph(
  page: Page,
  name: string,
  options: { readonly fullPage?: boolean } = {},
): Promise<void> {
  if (!keepsPhotographs) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), ...options });
}

export const wide = { width: 1440, height: 900 };
export const phone = { width: 390, height: 844 };

const first = ['light', 'en', wide] as const;
const last = ['dark', 'zh', phone] as const;

/** Every theme, language and width once; twice where photographs are wanted. */
export const variants = keepsPhotographs
  ? ([first, ['dark', 'en', wide], ['light', 'zh', phone], last] as const)
  : ([first, last] as const);

/**
 * The next page that the window loads has this theme and language. The window must be on a page of
 * the site.
 */
export async function chooseLook(
  page: Page,
  theme: 'light' | 'dark',
  language: 'zh' | 'en',
): Promise<void> {
  await page.evaluate(
    ([themeName, languageName]) => {
      localStorage.setItem('theme-mode', themeName);
      localStorage.setItem('i18nextLng', languageName);
    },
    [theme, language] as const,
  );
}
