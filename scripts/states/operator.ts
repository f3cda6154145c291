/** The operator's states: the inbox, a change of all that match, the first channel, the palette. */
import type { Page } from 'playwright-core';
import { atRest } from '../../test/support/page-checks.ts';
import type { Stage } from './stage.ts';

const dialog = (page: Page) => page.getByRole('dialog').last();

async function inbox(stage: Stage): Promise<void> {
  const { demo, t } = stage;
  const page = await stage.open();
  await page.goto(`${demo.url}/detail`);
  const box = page.getByRole('region', { name: t('detail.inbox'), exact: true });
  await box.waitFor();
  await box.scrollIntoViewIfNeeded();
  await stage.shoot(page, '08-inbox');
  const all = box.getByRole('button', { name: /\d/ }).last();
  if (await all.isVisible()) await all.click();
  await box.getByRole('listitem').last().scrollIntoViewIfNeeded();
  await stage.shoot(page, '08-inbox-all');
}

async function bulk(stage: Stage): Promise<void> {
  const { demo, t, look } = stage;
  const page = await stage.open();
  /** On phones by the menu of a card. */
  const selectPage = async () => {
    await page.goto(`${demo.url}/channel?tag=pool`);
    if (look.width !== 390) {
      await page.getByRole('checkbox', { name: t('common.selectAll') }).check();
      return;
    }
    await page
      .getByRole('button', { name: t('common.more.of', { name: 'Pool' }) })
      .first()
      .click();
    await page.getByRole('menuitem', { name: t('common.select.begin'), exact: true }).click();
    await page.getByRole('button', { name: t('common.selectAll') }).click();
  };
  await selectPage();
  await stage.shoot(page, '10-page-selected');
  await page.getByRole('button', { name: t('channel.bulk.all', { n: '417' }) }).click();
  await stage.shoot(page, '10-all-selected');
  await page.getByRole('button', { name: t('channel.bulk.change') }).click();
  await dialog(page).getByLabel(t('bulk.names'), { exact: true }).fill('vip');
  await page.keyboard.press('Enter');
  await stage.shoot(page, '10-choose');
  await dialog(page)
    .getByRole('button', { name: t('bulk.preview') })
    .click();
  const apply = dialog(page).getByRole('button', {
    name: t('bulk.apply', { count: 417, n: '417' }),
  });
  await apply.waitFor();
  await stage.shoot(page, '10-preview');
  // The second piece waits, so that progress stands still.
  const { promise: go, resolve } = Promise.withResolvers<void>();
  let pieces = 0;
  await page.route(/\/api\/.*(bulk|batch)/, async (route) => {
    pieces += 1;
    if (pieces > 1) await go;
    await route.continue();
  });
  await apply.click();
  await dialog(page)
    .getByText(t('bulk.progress', { done: '200', total: '417' }))
    .waitFor();
  await stage.shoot(page, '10-progress', 'moving');
  resolve();
  await dialog(page)
    .getByText(t('bulk.done', { count: 417, n: '417' }))
    .waitFor();
  await stage.shoot(page, '10-done');
  await page.unrouteAll({ behavior: 'wait' });
  await dialog(page)
    .getByRole('button', { name: t('bulk.undo') })
    .click();
  await dialog(page)
    .getByText(t('bulk.undone', { count: 417, n: '417' }))
    .waitFor();
  await stage.shoot(page, '10-undone');
  await dialog(page)
    .getByRole('button', { name: t('common.close') })
    .last()
    .click();
  await selectPage();
  await page.getByRole('button', { name: t('channel.bulk.all', { n: '417' }) }).click();
  await page.getByRole('button', { name: t('channel.bulk.change') }).click();
  await dialog(page)
    .getByRole('combobox', { name: t('bulk.what') })
    .click();
  await page.getByRole('option', { name: t('bulk.act.delete'), exact: true }).click();
  await dialog(page)
    .getByRole('button', { name: t('bulk.preview.delete') })
    .click();
  await dialog(page)
    .getByRole('button', { name: t('bulk.back') })
    .waitFor();
  await stage.shoot(page, '10-delete-preview');
}

async function firstChannel(stage: Stage): Promise<void> {
  const { empty, t } = stage;
  const page = await stage.open(empty);
  await page.goto(`${empty.url}/detail`);
  const key = page.getByRole('textbox', { name: t('quickStart.key'), exact: true });
  await key.waitFor();
  await stage.shoot(page, '12-begin');
  await key.fill('sk-ant-api03-example');
  await page.getByText(t('quickStart.vendor.found')).waitFor();
  await stage.shoot(page, '12-recognised');
  await key.fill('sk-wrong');
  await page.getByRole('textbox', { name: t('quickStart.address') }).fill(`${stage.studio}/v1`);
  await page.getByRole('button', { name: t('quickStart.verify') }).click();
  await page.getByRole('alert').first().waitFor();
  await stage.shoot(page, '12-refused');
  await key.fill('sk-right');
  await page.getByRole('button', { name: t('quickStart.verify') }).click();
  await page.getByRole('list', { name: t('quickStart.models.label') }).waitFor();
  await stage.shoot(page, '12-models');
  await page.getByRole('button', { name: t('quickStart.connect', { count: 5 }) }).click();
  await page.getByText(t('quickStart.done.token')).waitFor();
  await page.getByText(t('quickStart.done.token')).scrollIntoViewIfNeeded();
  await stage.shoot(page, '12-connected');
  // The next look begins without a channel again.
  const channels = await empty.api<{ id: number }[]>('GET', '/api/channel/?page_size=100');
  for (const { id } of channels) await empty.api('DELETE', `/api/channel/${id}`);
  const tokens = await empty.api<{ id: number }[]>('GET', '/api/token/?p=0&size=100');
  for (const { id } of tokens) await empty.api('DELETE', `/api/token/${id}`);
}

async function palette(stage: Stage): Promise<void> {
  const { demo, t } = stage;
  const page = await stage.open();
  await page.goto(`${demo.url}/detail`);
  await atRest(page);
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: t('palette.title') });
  await field.waitFor();
  await stage.shoot(page, '13-palette');
  await field.fill('gpt');
  await page.getByRole('option', { name: /gpt-5/ }).first().waitFor();
  await stage.shoot(page, '13-palette-found');
  await field.fill('zzzz');
  await page.getByText(t('palette.none')).waitFor();
  await stage.shoot(page, '13-palette-none');
}

export const operatorStates = { inbox, bulk, firstChannel, palette };
