/**
 * What providers send back binds and signs in only with a state that this browser was given, for
 * this user, once and for ten minutes (docs/rules/accounts.md#provider-visits).
 */
import { describe, expect, test } from 'vitest';
import type { HttpReply } from '../server/http.ts';
import {
  botToken,
  type SignInSite,
  startSignInSite,
  type TestBrowser,
} from '../server/sign-in-site.ts';
import { signByTelegram } from '../support/sign-in-providers.ts';

type Way = 'github' | 'linuxdo' | 'oidc' | 'wechat' | 'telegram';

/**
 * The address of a callback with what the provider really gives, for somebody else's account there.
 */
async function addressOf(
  site: SignInSite,
  way: Way,
  purpose: 'bind' | 'sign-in',
  state: string | undefined,
): Promise<string> {
  const query = new URLSearchParams(state === undefined ? {} : { state });
  const add = (fields: Record<string, string>) =>
    `${new URLSearchParams({ ...fields, ...Object.fromEntries(query) })}`;
  switch (way) {
    case 'oidc': {
      // A code that the provider made for a visit of the attacker's own browser.
      site.oidc.setUser({ sub: 'sub-of-eve' });
      const back = await site.oidc.consent((await site.browser().begin('oidc')).href);
      return `/api/oauth/oidc?${add({ code: back.searchParams.get('code') ?? '' })}`;
    }
    case 'telegram': {
      // Each signed reply is accepted once.
      site.clock.move(1000);
      const time = String(Math.floor(site.clock.now() / 1000));
      const fields = signByTelegram(botToken, { id: '666', first_name: 'Eve', auth_date: time });
      return `/api/oauth/telegram/${purpose === 'bind' ? 'bind' : 'login'}?${add(fields)}`;
    }
    case 'wechat':
      return `/api/oauth/wechat?${add({ code: site.wechat.newCode() })}`;
    default:
      return `/api/oauth/${way}?${add({ code: site[way].newCode() })}`;
  }
}

const stateOf = async (browser: TestBrowser) =>
  (await browser.get('/api/oauth/state')).json['data'] as unknown as string;

/** States that are not this browser's own, good ones. */
const wrongStates: readonly (readonly [
  string,
  (site: SignInSite, own: TestBrowser) => Promise<string | undefined>,
])[] = [
  ['none', async () => undefined],
  ['an empty one', async () => ''],
  ['an invented one', async () => 'x'.repeat(43)],
  ['one of another browser', async (site) => stateOf(site.browser())],
  [
    'one that was used',
    async (_, own) => {
      const state = await stateOf(own);
      await own.get(`/api/oauth/github?error=denied&state=${state}`);
      return state;
    },
  ],
  [
    'one that expired',
    async (site, own) => {
      const state = await stateOf(own);
      site.clock.move(10 * 60_000);
      return state;
    },
  ],
];

/** How a request reaches the callback. */
const senders: readonly (readonly [
  string,
  (browser: TestBrowser, address: string) => Promise<HttpReply>,
])[] = [
  ['a script of our own page', (browser, address) => browser.get(address)],
  ['a POST with the user-id header', (browser, address) => browser.post(address, {})],
  [
    'an image of our own page',
    async (browser, address) => {
      const id = browser.become(undefined);
      const reply = await browser.get(address, { 'sec-fetch-dest': 'image' });
      browser.become(id);
      return reply;
    },
  ],
  [
    'a page that is opened by a link of ours',
    async (browser, address) => {
      const id = browser.become(undefined);
      const headers = {
        'sec-fetch-dest': 'document',
        'sec-fetch-mode': 'navigate',
        accept: 'text/html',
      };
      const reply = await browser.get(address, headers);
      browser.become(id);
      return reply;
    },
  ],
];

describe.each(['github', 'linuxdo', 'oidc', 'telegram'] as const)(
  '%s binds nothing to whoever looks',
  (way) => {
    test('with a state that is not this browser’s own, a good one', async () => {
      const site = await startSignInSite();
      const root = site.browser();
      await root.logIn('root');
      const bound: string[] = [];
      for (const [name, stateFor] of wrongStates) {
        for (const [sender, send] of senders) {
          const reply = await send(
            root,
            await addressOf(site, way, 'bind', await stateFor(site, root)),
          );
          const { data } = (await root.get('/api/turnpike/self/identities')).json;
          if (reply.json['success'] === true || JSON.stringify(data) !== '[]')
            bound.push(`${name}, ${sender}`);
        }
      }
      expect(bound).toEqual([]);
    });

    test('with a state that this browser was given as a visitor, or as another user', async () => {
      const site = await startSignInSite();
      await site.addUser('ann');
      const browser = site.browser();
      const asVisitor = await stateOf(browser);
      await browser.logIn('ann');
      const asAnn = await stateOf(browser);
      await browser.get('/api/user/logout');
      browser.become(undefined);
      await browser.logIn('root');
      for (const state of [asVisitor, asAnn]) {
        const reply = await browser.get(await addressOf(site, way, 'bind', state));
        expect([reply.status, reply.json['code']]).toEqual([403, 'oauth_state_invalid']);
      }
      expect((await browser.get('/api/turnpike/self/identities')).json['data']).toEqual([]);
    });

    test('but binds with its own', async () => {
      const site = await startSignInSite();
      const root = site.browser();
      await root.logIn('root');
      const bound =
        way === 'telegram'
          ? await root.get(await addressOf(site, way, 'bind', await stateOf(root)))
          : await site.visit(root, way);
      expect(bound.json['success']).toBe(true);
      expect((await root.get('/api/turnpike/self/identities')).json['data']).toMatchObject([
        { type: way },
      ]);
    });
  },
);

describe.each(['github', 'linuxdo', 'oidc', 'wechat', 'telegram'] as const)(
  '%s signs nobody in as somebody else',
  (way) => {
    test('with a state that is not this browser’s own, a good one', async () => {
      const site = await startSignInSite();
      const [eve, victim] = [site.browser(), site.browser()];
      await site.addUser('eve');
      await eve.logIn('eve');
      const { data } = (await eve.get('/api/user/self')).json as { data: { id: number } };
      await site.app.storage.userIdentities.insert({
        userId: data.id,
        provider: way === 'linuxdo' ? 'linux_do' : way,
        subject: {
          github: '583231',
          linuxdo: '1001',
          oidc: 'sub-of-eve',
          wechat: 'wx-follower-1',
          telegram: '666',
        }[way],
        createdAt: 1,
      });
      const inside: string[] = [];
      for (const [name, stateFor] of wrongStates) {
        for (const [sender, send] of senders) {
          await send(victim, await addressOf(site, way, 'sign-in', await stateFor(site, victim)));
          if (victim.cookies.delete('session')) inside.push(`${name}, ${sender}`);
          victim.become(undefined);
        }
      }
      expect(inside).toEqual([]);
    });
  },
);

test.each(['wechat', 'email'])(
  'the code for binding %s needs the user-id header, which images and links do not have',
  async (way) => {
    const site = await startSignInSite();
    await site.app.storage.verificationCodes.put({
      purpose: 'email',
      subjectHash: site.app.storage.verificationCodes.hash('email:eve@example.org'),
      codeHash: site.app.storage.verificationCodes.hash('email:eve@example.org:123456'),
      expiresAt: Math.floor(site.clock.now() / 1000) + 600,
      payload: '',
    });
    const root = site.browser();
    await root.logIn('root');
    const address = () =>
      way === 'wechat'
        ? `/api/oauth/wechat/bind?code=${site.wechat.newCode()}`
        : '/api/oauth/email/bind?email=eve@example.org&code=123456';
    const id = root.become(undefined);
    for (const method of ['get', 'post'] as const)
      expect((await root[method](address())).json).toMatchObject({
        success: false,
        code: 'user_id_missing',
      });
    root.become(id);
    expect((await root.get(address(), { 'sec-fetch-dest': 'image' })).json['code']).toBe(
      'cross_site_request',
    );
    const { data } = (await root.get('/api/user/self')).json;
    expect(data).toMatchObject({ email: '', wechat_id: '' });
    expect((await root.get(address())).json['success']).toBe(true);
  },
);
