/** The sites, the windows and the texts of `scripts/capture-states.ts`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { loadConfig } from '../../src/core/config/load.ts';
import { silentLogger } from '../../src/core/kernel/logger.ts';
import type { Language } from '../../src/core/vocabulary/languages.ts';
import { openDemo } from '../../src/demo/demo.ts';
import { startGateway } from '../../src/server/start.ts';
import { textParts } from '../../src/ui/i18n/parts.ts';
import { type Translate, translatorOf } from '../../src/ui/i18n/translate.ts';
import { startBuiltGateway } from '../../test/support/built-gateway.ts';
import { atRest, watchRequests } from '../../test/support/page-checks.ts';
import { startStudio } from './studio.ts';

type Texts = Readonly<Record<string, string>>;

const folder = join(import.meta.dirname, '../../screenshots/states');

const heights = { 390: 844, 768: 1024, 1440: 900 } as const;

export interface Look {
  readonly theme: 'light' | 'dark';
  readonly language: Language;
  readonly width: keyof typeof heights;
}

export const looks: readonly Look[] = (['light', 'dark'] as const).flatMap((theme) =>
  (['en', 'zh'] as const).flatMap((language) =>
    ([1440, 768, 390] as const).map((width) => ({ theme, language, width })),
  ),
);

/** A site with its root user. */
export interface Site {
  readonly url: string;
  readonly user: { readonly id: number };
  api<T = unknown>(method: string, path: string, data?: object): Promise<T>;
  readonly context: BrowserContext;
  readonly account: { readonly username: string; readonly password: string };
}

/** What a state is photographed with. */
export interface Stage {
  /** The demo site, with 417 more channels and a channel to the studio. */
  readonly demo: Site;
  /** A site without channels. */
  readonly empty: Site;
  /** The address of an upstream that takes the key `sk-right`. */
  readonly studio: string;
  readonly look: Look;
  readonly t: Translate;
  open(site?: Site): Promise<Page>;
  /** The demo site as another user. */
  signIn(account: Site['account']): Promise<Site>;
  /** A photograph of the window, once it is at rest; `moving`: as it is. */
  shoot(page: Page, name: string, moving?: 'moving'): Promise<void>;
}

async function signIn(
  browser: Browser,
  url: string,
  account: Site['account'],
  setup?: { readonly code: string },
): Promise<Site> {
  const context = await browser.newContext();
  let id: number | undefined;
  const api = async <T>(method: string, path: string, data?: object): Promise<T> => {
    const headers = { origin: url, ...(id !== undefined && { 'New-Api-User': String(id) }) };
    const reply = await context.request.fetch(url + path, { method, data, headers });
    const body = (await reply.json()) as { success: boolean; message: string; data: T };
    if (!body.success) throw new Error(`${path}: ${body.message}`);
    return body.data;
  };
  if (setup !== undefined)
    await api('POST', '/api/setup', {
      ...account,
      confirmPassword: account.password,
      setup_token: setup.code,
    });
  const user = await api<Site['user']>('POST', '/api/user/login', account);
  id = user.id;
  return { url, user, api, context, account };
}

async function textsOf(language: Language): Promise<Translate> {
  const base =
    language === 'en'
      ? (await import('../../src/ui/i18n/en/index.ts')).en
      : (await import('../../src/ui/i18n/zh/index.ts')).zh;
  const loads: readonly (() => Promise<Texts>)[] = Object.values(textParts).map(
    (part) => part[language],
  );
  const parts = await Promise.all(loads.map((load) => load()));
  return translatorOf(language, Object.assign({}, base, ...parts) as Record<string, string>);
}

/** Channels that one filter selects. */
const many = Array.from({ length: 417 }, (_, index) => `sk-batch-${index}`).join('\n');

/** Opens the sites. `run` gets a stage for each look, one after the other. */
export async function withStages(
  browser: Browser,
  wanted: readonly Look[],
  run: (stage: Stage) => Promise<void>,
): Promise<void> {
  const { signal } = new AbortController();
  const studio = await startStudio();
  const made = await openDemo({ notice: '', stop: signal, requests: 600, perMinute: 0 });
  const { config } = loadConfig({
    flags: { 'data-dir': made.dataDir, port: 0, durability: 'normal' },
    environment: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', CRITICAL_RATE_LIMIT_ENABLE: 'false' },
    cwd: made.dataDir,
  });
  const gateway = await startGateway(config, { logger: silentLogger, version: 'demo', drainMs: 0 });
  const bare = await startBuiltGateway();
  try {
    await made.begin(gateway.url);
    const { rootName: username, password } = made.site;
    const demo = await signIn(browser, gateway.url, { username, password });
    const account = { username: 'root', password: 'a-long-password' };
    const empty = await signIn(browser, bare.url, account, { code: bare.setupCode });
    await demo.api('POST', '/api/channel/', {
      name: 'Studio',
      type: 1,
      key: 'sk-right',
      base_url: studio.url,
      priority: 1000,
      models: 'gpt-5.6-sol,claude-sonnet-5-5,gpt-image-2',
      group: 'default,vip,research',
    });
    await demo.api('POST', '/api/channel/', {
      name: 'Pool',
      type: 43,
      key: many,
      tag: 'pool',
      base_url: studio.url,
      models: 'deepseek-v4-flash,deepseek-v4-pro',
      group: 'default',
      priority: -10,
    });
    for (const look of wanted) {
      const t = await textsOf(look.language);
      const opened: BrowserContext[] = [];
      const stage: Stage = {
        demo,
        empty,
        studio: studio.url,
        look,
        t,
        open: async (site = demo) => {
          const context = await browser.newContext({
            viewport: { width: look.width, height: heights[look.width] },
            locale: look.language === 'en' ? 'en-US' : 'zh-CN',
            timezoneId: 'Asia/Shanghai',
            reducedMotion: 'reduce',
            permissions: ['clipboard-read', 'clipboard-write'],
            storageState: {
              cookies: (await site.context.storageState()).cookies,
              origins: [
                {
                  origin: site.url,
                  localStorage: Object.entries({
                    user: JSON.stringify(site.user),
                    i18nextLng: look.language,
                    'theme-mode': look.theme,
                  }).map(([name, value]) => ({ name, value })),
                },
              ],
            },
          });
          context.setDefaultTimeout(15_000);
          opened.push(context);
          const page = await context.newPage();
          watchRequests(page);
          return page;
        },
        signIn: (other) => signIn(browser, demo.url, other),
        shoot: async (page, name, moving) => {
          if (moving === undefined) await atRest(page);
          mkdirSync(folder, { recursive: true });
          const path = join(folder, `${name}-${look.theme}-${look.language}-${look.width}.png`);
          await page.screenshot({ path, animations: 'disabled' });
        },
      };
      await run(stage);
      for (const context of opened) await context.close();
    }
  } finally {
    await bare.close();
    await gateway.close();
    await made.close();
    await studio.close();
  }
}
