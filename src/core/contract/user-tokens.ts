import { tokenFilters } from '../entities/token-filters.ts';
import { z } from '../kernel/zod.ts';
import { byId, endpoint, id, pageOf, pageQuery } from './endpoint.ts';
import { tokenEntity } from './entities.ts';
import { filterSchema } from './filter-schema.ts';
import { newToken, tokenEdits } from './token.ts';

/** Which tokens of all users a list shows. */
export const userTokenMatch = filterSchema(tokenFilters, 'admins');

const tokenOfUser = tokenEntity.extend({ username: z.string() });

/** Tokens of any user, for administrators. Keys are masked except in the reply to `create`. */
export const userTokensApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/turnpike/token',
    access: 'admin',
    input: pageQuery.extend(userTokenMatch.shape),
    output: pageOf(tokenOfUser),
    summary: 'Tokens of all users, keys masked',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/turnpike/token/:id',
    access: 'admin',
    input: byId,
    output: tokenOfUser,
    summary: 'One token of any user, key masked',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/turnpike/token',
    access: 'admin',
    /** `user`: id or user name; absent: the caller. */
    input: newToken.extend({ user: z.string().optional() }),
    output: tokenEntity,
    summary: 'Create a token for a user; the key is shown only once',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/turnpike/token',
    access: 'admin',
    input: tokenEdits.extend({ id, status: z.number().int().optional() }),
    output: tokenOfUser,
    summary: 'Edit, enable or disable a token of any user',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/turnpike/token/:id',
    access: 'admin',
    input: byId,
    output: z.undefined(),
    summary: 'Delete a token of any user',
  }),
};
