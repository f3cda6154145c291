/** What the pages of a failed test show is kept, so that a failure can be looked at. */
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Page } from 'playwright-core';
import { patience } from './slow.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'test-results/failed');

const open = new Set<Page>();

/** From now on the page is kept by {@link keepPages}, until it is closed. */
export function watchPage(page: Page): void {
  open.add(page);
  page.once('close', () => open.delete(page));
}

/** Writes a picture of every open page, and says where. */
export async function keepPages(test: string): Promise<void> {
  let number = 0;
  for (const page of open) {
    number += 1;
    const name = test.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80);
    const path = join(folder, `${name}-${number}.png`);
    mkdirSync(folder, { recursive: true });
    const kept = await page.screenshot({ path, timeout: 5000 * patience }).then(
      () => relative(root, path),
      (error: Error) => `no picture: ${error.message}`,
    );
    process.stderr.write(`"${test}" failed at ${page.url()}: ${kept}\n`);
  }
}
