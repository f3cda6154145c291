import { z } from '../kernel/zod.ts';
import { byId, endpoint, nothing, queryBoolean } from './endpoint.ts';

/** A sign-in in a browser. Times are Unix seconds. */
const session = z.object({
  id: z.string(),
  /** How the user signed in: `password`, `github`, … */
  method: z.string(),
  user_agent: z.string(),
  /** Of the last use. */
  ip: z.string(),
  created_at: z.number().int(),
  /** Noted every few minutes. */
  last_seen: z.number().int(),
  /** It is the caller's own session. */
  current: z.boolean(),
});

const ended = z.object({ ended: z.number().int() });

/** Where users are signed in (docs/rules/accounts.md#signing-out). */
export const sessionApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/turnpike/self/sessions',
    access: 'user',
    input: nothing,
    output: z.array(session),
    summary: 'Where I am signed in, the last used first',
  }),
  end: endpoint({
    method: 'DELETE',
    path: '/api/turnpike/self/sessions/:id',
    access: 'user',
    input: z.object({ id: z.string() }),
    output: z.undefined(),
    summary: 'Sign me out of one browser',
  }),
  endAll: endpoint({
    method: 'DELETE',
    path: '/api/turnpike/self/sessions',
    access: 'user',
    input: z.object({ except_current: queryBoolean.default(false) }),
    output: ended,
    summary: 'Sign me out everywhere, or everywhere else',
  }),
  endOf: endpoint({
    method: 'POST',
    path: '/api/turnpike/users/:id/sign-out',
    access: 'admin',
    input: byId,
    output: ended,
    summary: 'End all sessions of a user',
  }),
  credentials: endpoint({
    method: 'GET',
    path: '/api/turnpike/self/credentials',
    access: 'user',
    input: nothing,
    output: z.object({ has_password: z.boolean(), has_system_token: z.boolean() }),
    summary: 'Which credentials my account has',
  }),
};
