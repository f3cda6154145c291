import { z } from '../kernel/zod.ts';
import { endpoint, nothing } from './endpoint.ts';
import { signedInUser } from './entities.ts';

const aff = z.string().default('');
/** From {@link oauthApi.state} of the same browser; used once. */
const state = z.string().optional();
/** What Telegram's widget signs, whatever fields it has. */
const signedByTelegram = z.looseObject({
  id: z.string().default(''),
  auth_date: z.string().default(''),
  hash: z.string().default(''),
  state,
});

/**
 * Sign-in by third parties, and binding them to an account
 * (docs/rules/accounts.md#provider-visits).
 */
export const oauthApi = {
  state: endpoint({
    method: 'GET',
    path: '/api/oauth/state',
    access: 'visitor',
    waysIn: ['identity'],
    withoutUserId: 'visitor',
    rate: 'critical',
    changes: true,
    input: z.object({ aff }),
    output: z.string(),
    summary: 'A state for a sign-in or a binding, valid once and for ten minutes',
  }),
  begin: endpoint({
    method: 'POST',
    path: '/api/turnpike/oauth/begin',
    access: 'visitor',
    waysIn: ['identity'],
    withoutUserId: 'visitor',
    rate: 'critical',
    input: z.object({ type: z.string(), aff }),
    output: z.object({ url: z.string() }),
    summary:
      'The page of a provider (github, linuxdo, oidc) to send the browser to, with state, nonce and PKCE challenge',
  }),
  callback: endpoint({
    method: 'GET',
    path: '/api/oauth/:type',
    access: 'visitor',
    waysIn: ['identity'],
    withoutUserId: 'visitor',
    rate: 'critical',
    changes: true,
    input: z.object({
      type: z.string(),
      code: z.string().optional(),
      state,
      error: z.string().optional(),
      error_description: z.string().optional(),
    }),
    output: signedInUser.optional(),
    summary:
      'What a provider sent back: signs in, or binds (message bind) if the browser is signed in',
  }),
  wechat: endpoint({
    method: 'GET',
    path: '/api/oauth/wechat',
    access: 'visitor',
    withoutUserId: 'visitor',
    rate: 'critical',
    changes: true,
    input: z.object({ code: z.string().default(''), state, aff }),
    output: signedInUser,
    summary: 'Sign in by the code of the WeChat account, and a state',
  }),
  wechatBind: endpoint({
    method: 'GET',
    path: '/api/oauth/wechat/bind',
    access: 'user',
    waysIn: ['identity'],
    rate: 'critical',
    changes: true,
    input: z.object({ code: z.string().default('') }),
    output: z.undefined(),
    summary: 'Bind WeChat by the code of the WeChat account',
  }),
  telegram: endpoint({
    method: 'GET',
    path: '/api/oauth/telegram/login',
    access: 'visitor',
    withoutUserId: 'visitor',
    rate: 'critical',
    changes: true,
    input: signedByTelegram,
    output: signedInUser,
    summary: 'Sign in by the fields of the Telegram widget, and a state; needs a bound account',
  }),
  telegramBind: endpoint({
    method: 'GET',
    path: '/api/oauth/telegram/bind',
    access: 'user',
    waysIn: ['identity'],
    rate: 'critical',
    changes: true,
    input: signedByTelegram,
    output: z.undefined(),
    summary:
      'Bind Telegram by the fields of its widget, and a state; a browser that opens it as a page is redirected',
  }),
  emailBind: endpoint({
    method: 'GET',
    path: '/api/oauth/email/bind',
    access: 'user',
    waysIn: ['email'],
    rate: 'critical',
    changes: true,
    input: z.object({ email: z.string().default(''), code: z.string().default('') }),
    output: z.undefined(),
    summary: 'Bind a verified email address',
  }),
  identities: endpoint({
    method: 'GET',
    path: '/api/turnpike/self/identities',
    access: 'user',
    input: nothing,
    output: z.array(z.object({ type: z.string(), id: z.string(), created_at: z.number().int() })),
    summary: 'The third-party accounts by which I sign in',
  }),
  unbind: endpoint({
    method: 'DELETE',
    path: '/api/turnpike/self/identities/:type',
    access: 'user',
    waysIn: ['identity'],
    rate: 'critical',
    input: z.object({ type: z.string() }),
    output: z.undefined(),
    summary: 'Unbind a third-party account; the last way to sign in stays',
  }),
};
