import { z } from '../kernel/zod.ts';
import { endpoint, queryBoolean } from './endpoint.ts';

const optionValue = z.union([z.string(), z.number(), z.boolean()]);

/** An option as it is sent to be set. */
export const sentOption = z.object({ key: z.string(), value: optionValue });

/** Agrees to prices below their cost, which are refused without (docs/rules/losses.md#saving). */
export const belowCostAgreed = z.boolean().default(false);

export const optionApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/option/',
    access: 'admin',
    input: z.object({ with_flags: queryBoolean.optional() }),
    output: z.array(
      z.object({
        key: z.string(),
        value: z.string(),
        configured: z.boolean().optional(),
        default: z.string().optional(),
      }),
    ),
    summary:
      'All options except secret ones; with_flags shows which secrets are set, and the defaults of what was changed. In place of credentials within other options administrators below root get ***',
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/option/',
    access: 'root',
    bodyLimit: 4 * 1024 * 1024,
    malformedStatus: 400,
    input: z.object({ key: z.string(), value: optionValue, below_cost: belowCostAgreed }),
    output: z.undefined(),
    summary: 'Set an option',
  }),
  setMany: endpoint({
    method: 'PUT',
    path: '/api/turnpike/option',
    access: 'root',
    bodyLimit: 4 * 1024 * 1024,
    input: z.object({
      values: z.array(sentOption).min(1).max(200),
      below_cost: belowCostAgreed,
    }),
    output: z.undefined(),
    summary: 'Set several options, all or none',
  }),
  reset: endpoint({
    method: 'POST',
    path: '/api/turnpike/option/reset',
    access: 'root',
    input: z.object({ key: z.string(), below_cost: belowCostAgreed }),
    output: z.undefined(),
    summary: 'Reset an option to its default',
  }),
  oidcDiscovery: endpoint({
    method: 'POST',
    path: '/api/option/oidc_discovery',
    access: 'root',
    input: z.object({ well_known: z.string() }),
    output: z.object({
      issuer: z.string(),
      authorization_endpoint: z.string(),
      token_endpoint: z.string(),
      userinfo_endpoint: z.string(),
    }),
    summary: 'Read the addresses of an OIDC provider from its well-known document; stores nothing',
  }),
  resetModelRatio: endpoint({
    method: 'POST',
    path: '/api/option/rest_model_ratio',
    access: 'root',
    input: z.object({ below_cost: belowCostAgreed }),
    output: z.undefined(),
    summary: 'Reset ModelRatio to the built-in table',
  }),
};
