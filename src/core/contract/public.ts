import { z } from '../kernel/zod.ts';
import { endpoint, nothing } from './endpoint.ts';

const turnstile = z.string().optional();
/**
 * The token of the new session, which the reply also sets as cookie. Clients without cookies send
 * it as `server-token`.
 */
const token = z.string();

/** Login by phone, and by an account with a second step (docs/rules/accounts.md#phone-login). */
export const publicApi = {
  messageCode: endpoint({
    method: 'GET',
    path: '/public/message_code',
    access: 'visitor',
    withoutUserId: 'visitor',
    shape: 'code',
    changes: true,
    humanCheck: true,
    query: ['phone', 'check_code', 'turnstile'],
    /** `check_code` alone: the code goes to the phone of the account whose login it names. */
    input: z.object({
      phone: z.string().default(''),
      check_code: z.string().default(''),
      turnstile,
    }),
    output: z.object({ countdown: z.number().int() }),
    summary: 'Send a code to a phone; returns the seconds until the next one',
  }),
  login: endpoint({
    method: 'POST',
    path: '/public/login',
    access: 'visitor',
    rate: 'critical',
    shape: 'code',
    humanCheck: true,
    query: ['turnstile'],
    input: z.object({
      phone: z.string().default(''),
      code: z.string().default(''),
      check_code: z.string().default(''),
      /** The invite code, where the login creates an account. */
      aff: z.string().default(''),
      turnstile,
    }),
    output: z.object({ token, check_code: z.string() }),
    summary: 'Log in by a code sent to a phone, or complete a login that needs one',
  }),
  accountLogin: endpoint({
    method: 'POST',
    path: '/public/email_login',
    access: 'visitor',
    rate: 'critical',
    shape: 'code',
    humanCheck: true,
    /** `param`: phone number, e-mail address or user name. */
    input: z.object({ param: z.string().default(''), password: z.string().default(''), turnstile }),
    /**
     * With `check_code` there is no token yet: the login is completed by `/public/login`. `phone`
     * is masked.
     */
    output: z.object({
      token: token.optional(),
      check_code: z.string().optional(),
      phone: z.string().optional(),
    }),
    summary: 'Log in by account and password; may ask for a phone code',
  }),
};

/** The phone number of one's own account (docs/rules/accounts.md#phone-binding). */
export const phoneApi = {
  bind: endpoint({
    method: 'POST',
    path: '/api/user/phone/bind',
    access: 'user',
    waysIn: ['phone'],
    rate: 'critical',
    input: z.object({ phone: z.string().default(''), code: z.string().default('') }),
    output: z.undefined(),
    summary: 'Bind a phone number by a code sent to it',
  }),
  unbind: endpoint({
    method: 'DELETE',
    path: '/api/turnpike/self/phone',
    access: 'user',
    waysIn: ['phone'],
    input: nothing,
    output: z.undefined(),
    summary: 'Remove the phone number of my account',
  }),
};
