/** What keeps a reader's work: failures of screens, a new build, drafts, two tabs, rights. */
import type { Page } from 'playwright-core';
import { atRest, visit } from '../../test/support/page-checks.ts';
import type { Stage } from './stage.ts';

const dialog = (page: Page) => page.getByRole('dialog').last();

async function openAtRest(stage: Stage, path: string): Promise<Page> {
  const page = await stage.open();
  await page.goto(stage.demo.url + path);
  await atRest(page);
  return page;
}
/** Leads to a screen whose file the page has not loaded, without loading the page anew. */
const goTo = (page: Page, path: string) => visit(page, path).catch(() => undefined);

async function failures(stage: Stage): Promise<void> {
  const { t } = stage;
  const offline = await openAtRest(stage, '/token');
  await offline.route(/\/assets\/.*\.js$|\/api\//, (route) => route.abort());
  await goTo(offline, '/redemption');
  await offline.getByRole('heading', { name: t('offline.title') }).waitFor();
  await stage.shoot(offline, '01-screen-offline');

  const late = await openAtRest(stage, '/token');
  await late.route(/\/assets\/.*\.js$/, (route) => route.abort());
  await goTo(late, '/redemption');
  await late.getByRole('heading', { name: t('late.title') }).waitFor();
  await stage.shoot(late, '01-screen-not-loaded');

  const crash = await openAtRest(stage, '/token');
  await crash.route(/\/api\/redemption\//, (route) =>
    route.fulfill({ json: { success: true, message: '', data: { items: [null], total: 1 } } }),
  );
  await goTo(crash, '/redemption');
  await crash.getByRole('heading', { name: t('crash.title') }).waitFor();
  await stage.shoot(crash, '01-screen-failed');

  const list = await openAtRest(stage, '/token');
  await list.route(/\/api\/redemption\//, (route) =>
    route.fulfill({ status: 500, json: { error: { message: 'x' } } }),
  );
  await goTo(list, '/redemption');
  await list.getByRole('button', { name: t('common.retry') }).waitFor();
  await stage.shoot(list, '01-list-failed');
}

async function newBuild(stage: Stage): Promise<void> {
  const { t } = stage;
  const page = await openAtRest(stage, '/token');
  await page.route(/\/api\//, async (route) => {
    const reply = await route.fetch();
    await route.fulfill({
      response: reply,
      headers: { ...reply.headers(), 'x-turnpike-build': 'another' },
    });
  });
  await page.getByRole('button', { name: t('common.refresh') }).click();
  await page.getByText(t('newBuild.text')).waitFor();
  await page
    .getByRole('button', { name: t('token.new') })
    .first()
    .click();
  await dialog(page).getByRole('textbox').first().fill('typed before');
  await stage.shoot(page, '01-new-version');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}

const draftName = 'OpenAI, new contract';

async function drafts(stage: Stage): Promise<void> {
  const { demo, t } = stage;
  const page = await openAtRest(stage, '/channel?edit=2');
  const name = dialog(page).getByRole('textbox', { name: t('channel.form.name'), exact: true });
  await name.fill(draftName);
  await page.context().clearCookies();
  await dialog(page)
    .getByRole('button', { name: t('common.save') })
    .click();
  await page.waitForURL(/\/login\?expired=true/);
  await stage.shoot(page, '04-login-expired');
  const { username, password } = demo.account;
  await page.getByRole('textbox', { name: t('login.account'), exact: true }).fill(username);
  await page.getByRole('textbox', { name: t('login.password'), exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/channel\?edit=2/);
  await dialog(page).waitFor();
  await stage.shoot(page, '04-draft-kept');

  const second = await openAtRest(stage, '/channel?edit=2');
  await dialog(second)
    .getByRole('textbox', { name: t('channel.form.name'), exact: true })
    .fill(draftName);
  await demo.api('PUT', '/api/channel/', { id: 2, name: 'OpenAI, Ann’s account' });
  await dialog(second)
    .getByRole('button', { name: t('common.save') })
    .click();
  await second.getByRole('alertdialog').waitFor();
  await stage.shoot(second, '04-overwritten');
  await demo.api('PUT', '/api/channel/', { id: 2, name: 'OpenAI second account' });
}

/** An administrator who is one no more. */
async function rights(stage: Stage): Promise<void> {
  const { demo, t } = stage;
  const { theme, language, width } = stage.look;
  const username = `${theme}-${language}-${width}`;
  const account = { username, password: 'a-long-password' };
  await demo.api('POST', '/api/user/', { ...account, role: 10 });
  const { items } = await demo.api<{ items: { id: number }[] }>(
    'GET',
    `/api/user/search?keyword=${username}`,
  );
  const ann = await stage.signIn(account);
  const page = await stage.open(ann);
  await page.goto(`${demo.url}/channel`);
  const refresh = page.getByRole('button', { name: t('common.refresh') });
  await refresh.waitFor();
  await demo.api('POST', '/api/user/manage', { id: items[0]?.id, action: 'demote' });
  await refresh.click();
  await page.getByRole('heading', { name: t('forbidden.title') }).waitFor();
  await stage.shoot(page, '04-rights-gone');
}

export const safetyStates = { failures, newBuild, drafts, rights };
