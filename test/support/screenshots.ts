/** Screenshots of the console: where they are kept, and the window, theme and language of each. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/** Ends with a slash. */
export const shots = fileURLToPath(new URL('../../screenshots/', import.meta.url));
mkdirSync(shots, { recursive: true });

export const wide = { width: 1440, height: 900 };
export const phone = { width: 390, height: 844 };

/** Every theme, language and width at least twice. */
export const variants = [
  ['light', 'zh', wide],
  ['dark', 'en', wide],
  ['light', 'en', phone],
  ['dark', 'zh', phone],
] as const;

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
