/** The playground: a rich answer, files, versions, two models, code, images and the gallery. */
import type { Page } from 'playwright-core';
import { createRandom } from '../../src/demo/random.ts';
import { drawPicture } from '../../src/demo/upstream/picture.ts';
import type { Stage } from './stage.ts';

const png = Buffer.from(drawPicture(createRandom(3)), 'base64');

const answers = (page: Page) => page.locator('article[aria-busy="false"]');
const paid = (page: Page, count: number) =>
  page
    .locator('[data-figures="complete"]')
    .filter({ hasText: '$' })
    .nth(count - 1)
    .waitFor();

async function ask({ t }: Stage, page: Page, text: string): Promise<void> {
  const field = page.getByLabel(t('playground.input'), { exact: true });
  await field.fill(text);
  await field.press('Enter');
}

const question = (stage: Stage) =>
  stage.look.language === 'en'
    ? 'How is a stream charged that breaks off?'
    : '流式请求中途断线，该怎么计费？';

const linked = (model: string) =>
  `model=${model}&enable_group=${encodeURIComponent('["default"]')}`;

async function chat(stage: Stage): Promise<void> {
  const { demo, t } = stage;
  const page = await stage.open();
  await page.goto(`${demo.url}/playground?${linked('gpt-5.6-sol')}`);
  await page.getByLabel(t('playground.input'), { exact: true }).waitFor();
  await stage.shoot(page, '16-chat-empty');
  const files = page.getByLabel(t('playground.attach')).first();
  await files.setInputFiles([
    { name: 'gate.png', mimeType: 'image/png', buffer: png },
    { name: 'tolls-of-the-week.csv', mimeType: 'text/csv', buffer: Buffer.from('day,toll\n1,2') },
  ]);
  await page.getByRole('img', { name: 'gate.png' }).waitFor();
  await page.getByLabel(t('playground.input'), { exact: true }).fill(question(stage));
  await stage.shoot(page, '16-chat-files');
  await ask(stage, page, question(stage));
  await paid(page, 1);
  await page.getByRole('img', { name: t('playground.diagram') }).waitFor();
  await answers(page)
    .last()
    .getByRole('button', { name: t('playground.regenerate') })
    .click();
  await page.getByText(t('playground.version', { place: 2, count: 2 })).waitFor();
  await paid(page, 1);
  await page.getByRole('img', { name: t('playground.diagram') }).waitFor();
  await stage.shoot(page, '16-chat-versions');
  await answers(page)
    .last()
    .evaluate((answer) => answer.scrollIntoView());
  await stage.shoot(page, '16-chat-maths');
  await page.locator('[data-formula="display"]').evaluate((one) => one.scrollIntoView());
  await stage.shoot(page, '16-chat-diagram');
  if (stage.look.width === 390) {
    await page.getByRole('button', { name: t('playground.settings.open') }).click();
    await page.getByRole('dialog', { name: t('playground.settings') }).waitFor();
    await stage.shoot(page, '16-chat-settings');
  }
  await page.getByRole('button', { name: t('playground.asCode') }).click();
  await page.getByRole('dialog', { name: t('playground.asCode') }).waitFor();
  await stage.shoot(page, '16-chat-code');
}

async function compare(stage: Stage): Promise<void> {
  const { demo, t, look } = stage;
  const page = await stage.open();
  await page.goto(`${demo.url}/playground?${linked('gpt-5.6-sol')}`);
  await page.getByLabel(t('playground.input'), { exact: true }).waitFor();
  if (look.width === 390)
    await page.getByRole('button', { name: t('playground.settings.open') }).click();
  await page
    .getByRole('combobox', { name: t('playground.compare') })
    .selectOption('claude-sonnet-5-5');
  if (look.width === 390) await page.keyboard.press('Escape');
  const text = look.language === 'en' ? 'Compare: what is charged?' : '比较：按什么计费？';
  await ask(stage, page, text);
  await paid(page, 2);
  await page.locator('article strong').nth(1).waitFor();
  await stage.shoot(page, '16-two-models');
}

async function gallery(stage: Stage): Promise<void> {
  const { demo, t, look } = stage;
  const page = await stage.open();
  await page.goto(`${demo.url}/playground/image?${linked('gpt-image-2')}`);
  const prompt = page.getByLabel(t('playground.image.prompt'), { exact: true });
  await prompt.fill(
    look.language === 'en' ? 'A toll gate at sunrise, flat colours' : '日出时的收费站，扁平插画',
  );
  await stage.shoot(page, '16-image-order');
  await page.getByRole('button', { name: t('playground.image.generate') }).click();
  await page.getByRole('img', { name: /1/ }).first().waitFor();
  await stage.shoot(page, '16-image-made');
  await page.goto(`${demo.url}/playground/image?view=gallery`);
  await page.getByRole('article').getByRole('img').first().waitFor();
  await stage.shoot(page, '16-gallery');
}

export const playgroundStates = { chat, compare, gallery };
