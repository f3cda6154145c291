/** A server at which every provider is switched on, and browsers with cookies of their own. */
import { type OidcProvider, oidcClient, startOidcProvider } from '../support/oidc-provider.ts';
import {
  type CodeProvider,
  githubClient,
  linuxdoClient,
  startGithub,
  startLinuxdo,
  startWechatServer,
  wechatToken,
} from '../support/sign-in-providers.ts';
import { type HttpReply, startTestServer, type TestServer } from './http.ts';

export const botToken = '123:bot-token';

export interface TestBrowser {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<HttpReply>;
  post(path: string, body?: object): Promise<HttpReply>;
  delete(path: string): Promise<HttpReply>;
  call(method: string, path: string, body?: object): Promise<HttpReply>;
  /** Begins a visit and returns the provider's address. */
  begin(type: string, aff?: string): Promise<URL>;
  /** Signs in by password. */
  logIn(username: string): Promise<void>;
  /** Sends the user-id header of this user from now on. Returns whose it sent before. */
  become(id: number | undefined): number | undefined;
}

export interface SignInSite extends TestServer {
  readonly github: CodeProvider;
  readonly linuxdo: CodeProvider;
  readonly wechat: CodeProvider;
  readonly oidc: OidcProvider;
  set(options: Readonly<Record<string, string | number | boolean>>): Promise<void>;
  browser(): TestBrowser;
  /** A whole sign-in by a provider that redirects; the reply to the callback. */
  visit(
    browser: TestBrowser,
    type: 'github' | 'linuxdo' | 'oidc',
    aff?: string,
  ): Promise<HttpReply>;
}

export async function startSignInSite(
  environment: Record<string, string> = {},
): Promise<SignInSite> {
  let address = 'http://unknown';
  const github = await startGithub(() => `${address}/oauth/github`);
  const linuxdo = await startLinuxdo();
  const wechat = await startWechatServer();
  const server = await startTestServer({
    GITHUB_ENDPOINT: github.url,
    GITHUB_API_ENDPOINT: `${github.url}/api/`,
    LINUX_DO_AUTHORIZE_ENDPOINT: `${linuxdo.url}/oauth2/authorize`,
    LINUX_DO_TOKEN_ENDPOINT: `${linuxdo.url}/oauth2/token`,
    LINUX_DO_USER_ENDPOINT: `${linuxdo.url}/api/user`,
    ...environment,
  });
  address = server.url;
  const oidc = await startOidcProvider(() => `${address}/oauth/oidc`);
  const { operator } = server;
  const set: SignInSite['set'] = async (options) => {
    for (const [key, value] of Object.entries(options)) await operator.option.set({ key, value });
  };
  const found = await operator.option.oidcDiscovery({ well_known: oidc.wellKnown });
  await set({
    ServerAddress: address,
    GitHubClientId: githubClient.id,
    GitHubClientSecret: githubClient.secret,
    GitHubOAuthEnabled: true,
    LinuxDOClientId: linuxdoClient.id,
    LinuxDOClientSecret: linuxdoClient.secret,
    LinuxDOOAuthEnabled: true,
    'oidc.client_id': oidcClient.id,
    'oidc.client_secret': oidcClient.secret,
    'oidc.well_known': oidc.wellKnown,
    'oidc.authorization_endpoint': found.authorization_endpoint,
    'oidc.token_endpoint': found.token_endpoint,
    'oidc.user_info_endpoint': found.userinfo_endpoint,
    'oidc.enabled': true,
    WeChatServerAddress: `${wechat.url}/`,
    WeChatServerToken: wechatToken,
    WeChatAuthEnabled: true,
    TelegramBotToken: botToken,
    TelegramBotName: 'gate_bot',
    TelegramOAuthEnabled: true,
  });

  const browser = (): TestBrowser => {
    const cookies = new Map<string, string>();
    let userId: number | undefined;
    const call = async (
      method: string,
      path: string,
      body?: object,
      extra: Record<string, string> = {},
    ) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = {
        'sec-fetch-site': 'same-origin',
        ...(cookie !== '' && { cookie }),
        ...(userId !== undefined && { 'new-api-user': String(userId) }),
        ...extra,
      };
      const reply = await server.send(method, path, { headers, ...(body && { body }) });
      for (const line of reply.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      const { data } = reply.json;
      if (typeof data === 'object' && data !== null && 'username' in data && 'role' in data)
        userId ??= (data as unknown as { id: number }).id;
      return reply;
    };
    return {
      cookies,
      get: (path, headers) => call('GET', path, undefined, headers),
      post: (path, body = {}) => call('POST', path, body),
      delete: (path) => call('DELETE', path),
      call,
      begin: async (type, aff = '') => {
        const { json } = await call('POST', '/api/turnpike/oauth/begin', { type, aff });
        return new URL((json.data as { url: string }).url);
      },
      logIn: async (username) => {
        await call('POST', '/api/user/login', { username, password: 'a long password' });
      },
      become: (id) => {
        const before = userId;
        userId = id;
        return before;
      },
    };
  };

  return {
    ...server,
    github,
    linuxdo,
    wechat,
    oidc,
    set,
    browser,
    visit: async (from, type, aff) => {
      const start = await from.begin(type, aff);
      const back =
        type === 'oidc'
          ? await oidc.consent(start.href)
          : new URL((await fetch(start, { redirect: 'manual' })).headers.get('location') ?? '');
      return from.get(`/api/oauth/${type}${back.search}`);
    },
  };
}
