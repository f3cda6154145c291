/** How a test opens what stands above a screen, step by step. */
import type { Page } from 'playwright-core';
import type { ConsoleSite } from '../console-site.ts';
import { atRest } from '../page-checks.ts';
import type { phone } from '../screenshots.ts';

/**
 * What the page gets in place of the server's answer, for what takes other sites to come about:
 * the answer, or what becomes of it.
 */
export interface Reply {
  readonly path: string;
  readonly data: string | number | object | ((data: object) => object);
}
export type Step = (page: Page, site: ConsoleSite) => Promise<unknown>;
export interface Opening {
  readonly at: string;
  readonly open: Step;
  readonly as?: 'visitor';
  readonly size?: typeof phone;
  readonly replies?: readonly Reply[];
}

export const press = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click();
export const item = (name: string) => (page: Page) => page.getByRole('menuitem', { name }).click();
export const fill = (label: string, text: string) => (page: Page) =>
  page.getByRole('textbox', { name: label, exact: true }).first().fill(text);
/** A list of choices knows its field once a key was pressed. */
export const choose = (label: string) => async (page: Page) => {
  const field = page.getByRole('combobox', { name: new RegExp(`^${label}`) }).first();
  await field.click();
  await field.press('ArrowDown');
  await page.locator('[data-combobox-option]').filter({ visible: true }).first().waitFor();
};
/** One after the other, each when the page is at rest; something is open in the end. */
export const steps =
  (first: Step, ...others: readonly Step[]) =>
  async (page: Page, site: ConsoleSite) => {
    await first(page, site);
    for (const step of others) {
      await atRest(page);
      await step(page, site);
    }
  };
export const more = (name: string, entry: string) =>
  steps(press(`More actions for ${name}`), item(entry));
export const prices = '/setting?tab=operation#operation.prices';
export const changeRatio = async (page: Page) => {
  await page
    .getByRole('button', { name: /^Model ratio · / })
    .first()
    .click();
  await page.keyboard.type('7');
  await page.keyboard.press('Enter');
};
export const ask = async (page: Page) => {
  await page.getByRole('textbox', { name: /message/i }).fill('hello');
  await page.keyboard.press('Enter');
  await page.getByText('ok', { exact: true }).first().waitFor();
};
/** By its address. */
export const opensItself = (page: Page) => page.getByRole('dialog').waitFor();
export const select = (page: Page) => page.locator('thead input[type=checkbox]').first().check();
/** Its face covers it. */
export const flip = (name: string) => (page: Page) =>
  page
    .getByRole('switch', { name: new RegExp(`^${name}`) })
    .first()
    .evaluate((input: HTMLElement) => input.click());
export const text = (words: string) => (page: Page) => page.getByText(words).first().click();
