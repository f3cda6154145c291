import { z } from 'zod';
import { endpoint, nothing } from './endpoint.ts';
import { signedInUser, userInfo } from './entities.ts';
import { newUser } from './user.ts';

const { username, password } = newUser.shape;
/** The name and password that people choose for their own account. Absent texts get the error of empty ones. */
export const ownCredentials = { username: username.default(''), password: password.default('') };

export const authApi = {
  login: endpoint({
    method: 'POST',
    path: '/api/user/login',
    access: 'visitor',
    rate: 'critical',
    query: ['turnstile'],
    input: z.object({ username: z.string().default(''), password: z.string().default(''), turnstile: z.string().optional() }),
    output: signedInUser,
    summary: 'Sign in by password; sets the session cookie',
  }),
  register: endpoint({
    method: 'POST',
    path: '/api/user/register',
    access: 'visitor',
    rate: 'critical',
    query: ['turnstile'],
    input: z.object({
      ...ownCredentials,
      password2: z.string().optional(),
      aff_code: z.string().optional(),
      turnstile: z.string().optional(),
    }),
    output: z.undefined(),
    summary: 'Register an account',
  }),
  logout: endpoint({
    method: 'GET',
    path: '/api/user/logout',
    access: 'visitor',
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
