import { z } from '../kernel/zod.ts';
import { endpoint, nothing } from './endpoint.ts';
import { signedInUser, userInfo } from './entities.ts';
import { newUser } from './user.ts';

const { username, password } = newUser.shape;
/**
 * The name and password that people choose for their own account. Absent texts get the error of
 * empty ones.
 */
export const ownCredentials = { username: username.default(''), password: password.default('') };

export const authApi = {
  login: endpoint({
    method: 'POST',
    path: '/api/user/login',
    access: 'visitor',
    rate: 'critical',
    humanCheck: true,
    query: ['turnstile'],
    input: z.object({
      username: z.string().default(''),
      password: z.string().default(''),
      turnstile: z.string().optional(),
    }),
    output: signedInUser,
    summary: 'Sign in by password; sets the session cookie',
  }),
  register: endpoint({
    method: 'POST',
    path: '/api/user/register',
    access: 'visitor',
    rate: 'critical',
    humanCheck: true,
    query: ['turnstile'],
    input: z.object({
      ...ownCredentials,
      password2: z.string().optional(),
      aff_code: z.string().optional(),
      email: z.string().optional(),
      verification_code: z.string().optional(),
      turnstile: z.string().optional(),
    }),
    output: z.undefined(),
    summary: 'Register an account',
  }),
  sendCode: endpoint({
    method: 'GET',
    path: '/api/verification',
    access: 'visitor',
    withoutUserId: 'visitor',
    rate: 'critical',
    changes: true,
    humanCheck: true,
    query: ['turnstile'],
    input: z.object({ email: z.string().default(''), turnstile: z.string().optional() }),
    output: z.undefined(),
    summary: 'Mail a verification code to an address',
  }),
  requestReset: endpoint({
    method: 'GET',
    path: '/api/reset_password',
    access: 'visitor',
    withoutUserId: 'visitor',
    rate: 'critical',
    changes: true,
    humanCheck: true,
    query: ['turnstile'],
    input: z.object({ email: z.string().default(''), turnstile: z.string().optional() }),
    output: z.undefined(),
    summary: 'Mail a link that resets the password',
  }),
  reset: endpoint({
    method: 'POST',
    path: '/api/user/reset',
    access: 'visitor',
    waysIn: ['password'],
    rate: 'critical',
    input: z.object({ email: z.string().default(''), token: z.string().default('') }),
    output: z.string(),
    summary: 'Reset the password by a mailed link; returns the new password',
  }),
  disavow: endpoint({
    method: 'POST',
    path: '/api/turnpike/not-me',
    access: 'visitor',
    rate: 'critical',
    /** From the link in the mail about the change. */
    input: z.object({ token: z.string().max(100).default('') }),
    /** Whether a link for a new password is on its way. */
    output: z.object({ reset_mailed: z.boolean() }),
    summary: 'It was not me: takes a change of my account back, ends its logins and its password',
  }),
  logout: endpoint({
    method: 'GET',
    path: '/api/user/logout',
    access: 'visitor',
    withoutUserId: 'refused',
    changes: true,
    input: nothing,
    output: z.undefined(),
    summary: 'End the session',
  }),
  info: endpoint({
    method: 'GET',
    path: '/users/get/info',
    access: 'user',
    shape: 'code',
    input: nothing,
    output: userInfo,
    summary: 'Who the credentials belong to; needs no user-id header',
  }),
};
