/**
 * A built gateway with a scripted upstream, a root user, a channel and a token, for tests of the
 * console in a browser.
 */
import OpenAI from 'openai';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { storageKeys } from '../../src/ui/browser/local-storage.ts';
import { openBrowser } from './browser.ts';
import { type BuiltGateway, startBuiltGateway } from './built-gateway.ts';
import { settleAfterOpening, watchRequests } from './page-checks.ts';
import { chatReply, startUpstream, type TestUpstream } from './upstream.ts';

const account = { username: 'root', password: 'a-long-password' };

export interface ConsoleSite {
  readonly url: string;
  readonly gateway: BuiltGateway;
  readonly upstream: TestUpstream;
  /** A window of the root user, or of a visitor. */
  open(options?: BrowserContextOptions, who?: 'root' | 'visitor'): Promise<Page>;
  /** A call as root. Throws when the server refuses it. */
  api<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<T>;
  /** One chat request with the token `app`. */
  chat(model: string, headers?: Readonly<Record<string, string>>): Promise<void>;
  close(): Promise<void>;
}

export const siteModel = 'gpt-4o';
/** Of every request. */
const usage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 };

export async function startConsoleSite(
  environment: Readonly<Record<string, string>> = {},
): Promise<ConsoleSite> {
  const upstream = await startUpstream();
  upstream.answer(chatReply('ok', usage));
  const gateway = await startBuiltGateway(environment);
  const browser = await openBrowser();
  const context = await browser.newContext();
  const windows = new Set<BrowserContext>();
  let user: { readonly id: number } | undefined;
  const api = async <T>(method: string, path: string, data?: object): Promise<T> => {
    const headers = { 'New-Api-User': String(user?.id ?? '') };
    const reply = await context.request.fetch(gateway.url + path, { method, data, headers });
    const text = await reply.text();
    const body = JSON.parse(text) as { success: boolean; data: T };
    if (!body.success) throw new Error(`${path}: ${reply.status()} ${text}`);
    return body.data;
  };
  await api('POST', '/api/setup', {
    ...account,
    confirmPassword: account.password,
    setup_token: gateway.setupCode,
  });
  user = await api<{ id: number }>('POST', '/api/user/login', account);
  const channel = {
    name: 'main',
    type: 1,
    key: 'sk-a',
    base_url: upstream.url,
    models: siteModel,
    group: 'default',
  };
  await api('POST', '/api/channel/', channel);
  const { key } = await api<{ key: string }>('POST', '/api/token/', {
    name: 'app',
    remain_quota: 0,
    unlimited_quota: true,
  });
  // Without retries: a refusal is seen, instead of waited for.
  const options = { apiKey: `sk-${key}`, baseURL: `${gateway.url}/v1`, maxRetries: 0 };
  const client = new OpenAI(options);
  // What the login page leaves in the browser; console.test.ts signs in on it.
  const login = {
    cookies: (await context.storageState()).cookies,
    origins: [
      {
        origin: gateway.url,
        localStorage: [{ name: storageKeys.user, value: JSON.stringify(user) }],
      },
    ],
  };
  return {
    url: gateway.url,
    gateway,
    upstream,
    open: async (options = {}, who = 'root') => {
      const own = await browser.newContext({
        reducedMotion: 'reduce',
        ...(who === 'root' && { storageState: login }),
        ...options,
      });
      windows.add(own);
      const opened = await own.newPage();
      watchRequests(opened);
      settleAfterOpening(opened);
      return opened;
    },
    api,
    chat: async (model, headers) => {
      await client.chat.completions.create(
        { model, messages: [{ role: 'user', content: 'hello' }] },
        { headers },
      );
    },
    close: async () => {
      await Promise.all([context, ...windows].map((one) => one.close()));
      await gateway.close();
      await upstream.close();
    },
  };
}
