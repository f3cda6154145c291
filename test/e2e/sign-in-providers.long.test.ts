// Covers src/ui/components/sign-in, src/ui/routes/login/providers, src/ui/routes/oauth.
/**
 * Sign-in by third parties in a real browser: each provider signs in, is bound, unbound, and
 * refused for what is wrong.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, startConsoleSite } from '../support/console-site.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { type OidcProvider, oidcClient, startOidcProvider } from '../support/oidc-provider.ts';
import { photograph, variants, wide } from '../support/screenshots.ts';
import {
  type CodeProvider,
  githubClient,
  linuxdoClient,
  signByTelegram,
  startGithub,
  startLinuxdo,
  startWechatServer,
  wechatToken,
} from '../support/sign-in-providers.ts';
import { patience } from '../support/slow.ts';
import { hasTool } from '../support/tools.ts';

const botToken = '123:bot-token';

describe.skipIf(!hasTool('browser'))(
  'sign-in by providers in a browser',
  { timeout: 120_000 * patience },
  () => {
    let site: ConsoleSite;
    let github: CodeProvider;
    let linuxdo: CodeProvider;
    let wechat: CodeProvider;
    let oidc: OidcProvider;
    let mails: MailServer;

    beforeAll(async () => {
      github = await startGithub(() => `${site.url}/oauth/github`, 'file');
      linuxdo = await startLinuxdo('file');
      wechat = await startWechatServer('file');
      mails = await startMailServer();
      site = await startConsoleSite({
        GITHUB_ENDPOINT: github.url,
        GITHUB_API_ENDPOINT: `${github.url}/api`,
        LINUX_DO_AUTHORIZE_ENDPOINT: `${linuxdo.url}/oauth2/authorize`,
        LINUX_DO_TOKEN_ENDPOINT: `${linuxdo.url}/oauth2/token`,
        LINUX_DO_USER_ENDPOINT: `${linuxdo.url}/api/user`,
      });
      oidc = await startOidcProvider(() => `${site.url}/oauth/oidc`, 'file');
      const options = {
        ServerAddress: site.url,
        SMTPServer: '127.0.0.1',
        SMTPPort: String(mails.port),
        SMTPFrom: 'gate@example.org',
        GitHubClientId: githubClient.id,
        GitHubClientSecret: githubClient.secret,
        GitHubOAuthEnabled: 'true',
        LinuxDOClientId: linuxdoClient.id,
        LinuxDOClientSecret: linuxdoClient.secret,
        LinuxDOOAuthEnabled: 'true',
        'oidc.client_id': oidcClient.id,
        'oidc.client_secret': oidcClient.secret,
        'oidc.well_known': oidc.wellKnown,
        'oidc.authorization_endpoint': `${oidc.url}/auth`,
        'oidc.token_endpoint': `${oidc.url}/token`,
        'oidc.user_info_endpoint': `${oidc.url}/me`,
        'oidc.enabled': 'true',
        WeChatServerAddress: wechat.url,
        WeChatServerToken: wechatToken,
        WeChatAccountQRCodeImageURL: `${site.url}/logo.png`,
        WeChatAuthEnabled: 'true',
        TelegramBotToken: botToken,
        TelegramBotName: 'gate_bot',
        TelegramOAuthEnabled: 'true',
      };
      for (const [key, value] of Object.entries(options))
        await site.api('PUT', '/api/option/', { key, value });
    });
    afterAll(async () => {
      await site?.close();
      await mails?.close();
    });

    const visit = async (path: string): Promise<Page> => {
      const page = await site.open({ viewport: wide, locale: 'en-US' }, 'visitor');
      await page.addInitScript(
        () => localStorage.getItem('i18nextLng') ?? localStorage.setItem('i18nextLng', 'en'),
      );
      await page.goto(site.url + path);
      return page;
    };
    const press = (page: Page, name: string) =>
      page.getByRole('button', { name, exact: true }).click();
    const row = (page: Page, name: string) =>
      page.locator('li').filter({ has: page.getByText(name, { exact: true }) });
    const userOf = (page: Page) =>
      page.evaluate(
        () => JSON.parse(localStorage.getItem('user') ?? 'null') as { username: string } | null,
      );
    const arrive = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path);

    it('GitHub makes an account for the invited, which links OIDC and drops GitHub, but not its last login', async () => {
      const code = await site.api<string>('GET', '/api/user/aff');
      const page = await visit(`/login?aff=${code}`);
      await press(page, 'GitHub');
      await arrive(page, '/token');
      expect((await userOf(page))?.username).toMatch(/^github_\d+$/);
      expect(await page.evaluate(() => localStorage.getItem('aff'))).toBeNull();
      expect(await site.api('GET', '/api/user/self')).toMatchObject({ aff_count: 1 });

      await page.goto(`${site.url}/personal`);
      await row(page, 'GitHub').getByText('583231').waitFor();
      await press(page, 'Unlink GitHub');
      await press(page, 'Unlink');
      await page.getByText('This is your last way to log in').waitFor();

      oidc.setUser({ sub: 'sub-of-ann', name: 'Ann', preferred_username: 'ann' });
      await press(page, 'Link OIDC');
      // A customer has no site settings: the address leads to their own.
      await arrive(page, '/personal');
      await page.getByText('Account linked').waitFor();
      await row(page, 'OIDC').getByText('sub-of-ann').waitFor();
      await press(page, 'Unlink GitHub');
      await press(page, 'Unlink');
      await page.getByText('Account unlinked').waitFor();
      await row(page, 'GitHub').getByText('Not linked').waitFor();
      await page.context().close();
    });

    it('OIDC signs in, and what belongs to one account cannot be linked to another', async () => {
      const first = await visit('/register');
      oidc.setUser({ sub: 'sub-of-bob', name: 'Bob', preferred_username: 'bob' });
      await press(first, 'OIDC');
      await arrive(first, '/token');
      expect((await userOf(first))?.username).toBe('bob');
      await first.context().close();

      const second = await visit('/login');
      await press(second, 'LinuxDO');
      await arrive(second, '/token');
      await second.goto(`${site.url}/personal`);
      await press(second, 'Link OIDC');
      await second.getByText('This OIDC account is already linked').waitFor();
      await second.getByText('Operation failed, returning to settings').waitFor();
      await arrive(second, '/personal');
      await row(second, 'OIDC').getByText('Not linked').waitFor();
      await second.context().close();
    });

    it('a wrong state, a refusal and a replay end at the login page', async () => {
      const page = await visit('/oauth/github?code=stolen&state=made-up');
      await page.getByText('This login attempt has expired').waitFor();
      await page.getByText('redirecting to login').waitFor();
      await arrive(page, '/login');

      await page.goto(`${site.url}/login`);
      const answered = page.waitForRequest(/\/api\/oauth\/github\?/);
      await page.route(`${github.url}/login/**`, (route) => {
        const state = new URL(route.request().url()).searchParams.get('state');
        const query = `error=access_denied&error_description=The+user+said+no&state=${state}`;
        return route.fulfill({
          status: 302,
          headers: { location: `${site.url}/oauth/github?${query}` },
        });
      });
      await press(page, 'GitHub');
      await page.getByText('The provider refused the login: The user said no').waitFor();
      await arrive(page, '/login');
      const used = new URL((await answered).url()).search;
      await page.goto(`${site.url}/oauth/github${used}`);
      await page.getByText('This login attempt has expired').waitFor();
      await page.context().close();
    });

    it('WeChat: the code of the official account', async () => {
      const page = await visit('/login');
      await press(page, 'WeChat');
      const dialog = page.getByRole('dialog');
      await dialog.getByAltText('QR code of the WeChat account').waitFor();
      expect(await dialog.getByRole('button', { name: 'Log in' }).isDisabled()).toBe(true);
      await dialog.getByLabel('Verification code').fill('000000');
      await dialog.getByRole('button', { name: 'Log in' }).click();
      await dialog.getByText('The WeChat code is wrong or has expired').waitFor();
      await photograph(page, 'wechat-dialog');
      await dialog.getByLabel('Verification code').fill(wechat.newCode());
      await dialog.getByRole('button', { name: 'Log in' }).click();
      await arrive(page, '/personal');
      expect((await userOf(page))?.username).toMatch(/^wechat_\d+$/);
      await page.context().close();
    });

    /** Telegram's script, with a button that opens the address with these fields. */
    const serveWidget = (page: Page, fields: () => Record<string, string>) =>
      page.route('https://telegram.org/**', (route) =>
        route.fulfill({
          contentType: 'text/javascript',
          body: `{
          const { authUrl, telegramLogin } = document.currentScript.dataset;
          const button = document.createElement('button');
          button.textContent = 'Log in with ' + telegramLogin;
          button.onclick = () => { location.href = authUrl + '&' + ${JSON.stringify(new URLSearchParams(fields()).toString())}; };
          document.currentScript.after(button);
        }`,
        }),
      );
    let second = 0;
    const telegramFields = () => {
      second += 1;
      const time = String(Math.floor(Date.now() / 1000) - second);
      return signByTelegram(botToken, { id: '42', first_name: 'Ann', auth_date: time });
    };

    it('Telegram is linked by its widget, then signs in; a forged reply does neither', async () => {
      const stranger = await visit('/login');
      await serveWidget(stranger, telegramFields);
      await press(stranger, 'Telegram');
      await press(stranger, 'Log in with gate_bot');
      await stranger.getByText('This Telegram account is not linked to any user').waitFor();
      await arrive(stranger, '/login');
      await stranger.context().close();

      github.setProfile({ id: 99, login: 'dora', name: 'Dora' });
      const page = await visit('/login');
      await press(page, 'GitHub');
      await arrive(page, '/token');
      const { username = '' } = (await userOf(page)) ?? {};
      let forged = true;
      await serveWidget(page, () => ({ ...telegramFields(), ...(forged && { id: '43' }) }));
      await page.goto(`${site.url}/personal`);
      await press(page, 'Link Telegram');
      await press(page, 'Log in with gate_bot');
      await page.getByText('The Telegram login is invalid or has expired').waitFor();
      await arrive(page, '/personal');
      forged = false;
      await page.goto(`${site.url}/personal`);
      await press(page, 'Link Telegram');
      await press(page, 'Log in with gate_bot');
      await row(page, 'Telegram').getByText('42', { exact: true }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/personal');
      await page.context().close();

      const again = await visit('/login');
      await serveWidget(again, telegramFields);
      await press(again, 'Telegram');
      await press(again, 'Log in with gate_bot');
      await arrive(again, '/token');
      expect((await userOf(again))?.username).toBe(username);
      // Another site cannot send its own Telegram account through this page.
      await again.goto(`${site.url}/oauth/telegram?${new URLSearchParams(telegramFields())}`);
      await again.getByText('This login attempt has expired').waitFor();
      await again.context().close();
    });

    it('a picture of our own page neither links the Telegram account of somebody else nor logs out', async () => {
      const page = await site.open({ viewport: wide, locale: 'en-US' });
      await page.addInitScript(() => localStorage.setItem('i18nextLng', 'en'));
      await page.goto(`${site.url}/personal`);
      const addresses = [
        `/api/oauth/telegram/bind?${new URLSearchParams(telegramFields())}`,
        '/api/user/logout',
      ];
      const statuses = addresses.map(async (address) => {
        const reply = page.waitForResponse((response) =>
          response.url().includes(address.split('?')[0] ?? ''),
        );
        await page.evaluate((source) => {
          document.body.append(Object.assign(new Image(), { src: source }));
        }, address);
        return (await reply).status();
      });
      expect(await Promise.all(statuses)).toEqual([403, 403]);
      expect(await site.api('GET', '/api/user/self')).toMatchObject({ telegram_id: '' });
      await page.reload();
      await row(page, 'Telegram').getByText('Not linked').waitFor();
      await page.context().close();
    });

    it('an e-mail address is linked by its code', async () => {
      const page = await site.open({ viewport: wide, locale: 'en-US' });
      await page.addInitScript(() => localStorage.setItem('i18nextLng', 'en'));
      await page.goto(`${site.url}/personal`);
      await press(page, 'Link Email');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Get code' }).click();
      await dialog.getByText('Enter your email address').waitFor();
      await dialog.getByLabel('Email').fill('root@example.org');
      await dialog.getByRole('button', { name: 'Link' }).click();
      await dialog.getByText('Enter the verification code').waitFor();
      await dialog.getByRole('button', { name: 'Get code' }).click();
      await dialog.getByRole('button', { name: /^\d+ s$/ }).waitFor();
      await dialog.getByLabel('Verification code').fill('12');
      await dialog.getByRole('button', { name: 'Link' }).click();
      await dialog.getByText('The verification code is wrong or has expired').waitFor();
      await photograph(page, 'email-dialog');
      const [mail] = await mails.received(1);
      await dialog.getByLabel('Verification code').fill(/\d{6}/.exec(mail?.body ?? '')?.[0] ?? '');
      await dialog.getByRole('button', { name: 'Link' }).click();
      await row(page, 'Email').getByText('root@example.org').waitFor();
      await page.getByRole('button', { name: 'Change Email' }).waitFor();
      await page.context().close();
    });

    it('providers that are off are not offered, and loads nothing of Telegram', async () => {
      const off = [
        'GitHubOAuthEnabled',
        'LinuxDOOAuthEnabled',
        'oidc.enabled',
        'WeChatAuthEnabled',
        'TelegramOAuthEnabled',
      ];
      for (const key of off) await site.api('PUT', '/api/option/', { key, value: 'false' });
      const page = await visit('/login');
      await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
      expect(await page.getByText('Or continue with').count()).toBe(0);
      const policy = (await page.request.get(`${site.url}/login`)).headers()[
        'content-security-policy'
      ];
      expect(policy).not.toContain('telegram.org');
      for (const key of off) await site.api('PUT', '/api/option/', { key, value: 'true' });
      await page.reload();
      await page.getByText('Or continue with').waitFor();
      await page.context().close();
    });

    it.each(variants)('is photographed: %s, %s', async (theme, language, viewport) => {
      const page = await site.open({ viewport }, 'visitor');
      await page.addInitScript(
        ([themeName, languageName]) => {
          localStorage.setItem('theme-mode', themeName);
          localStorage.setItem('i18nextLng', languageName);
        },
        [theme, language] as const,
      );
      const name = `${theme}-${language}-${viewport.width}`;
      await page.goto(`${site.url}/login`);
      await page.getByRole('button', { name: 'GitHub' }).waitFor();
      await photograph(page, `login-providers-${name}`, { fullPage: true });
      await page.getByRole('button', { name: 'LinuxDO' }).click();
      await arrive(page, '/token');
      await page.goto(`${site.url}/personal`);
      await row(page, 'LinuxDO').getByText('1001').waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        viewport.width,
      );
      await photograph(page, `bindings-${name}`, { fullPage: true });
      await page.context().close();
    });
  },
);
