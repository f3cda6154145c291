/** A site of LiteLLM with people, teams, keys, limits, deployments and a log, for tests of its import. */
import { createHash } from 'node:crypto';
import { calendarWindow } from '../../src/core/budgets/window.ts';
import type { LitellmRows } from './litellm-database.ts';

export const day = 86_400_000;
export const now = Date.now();
/** As Prisma stores it: UTC without a zone. */
export const at = (days: number) => new Date(now + days * day).toISOString().slice(0, 23);
export const monthEnd = calendarWindow(
  { period: 'month', timeZone: 'UTC', weekStart: 1 },
  Math.floor(now / 1000),
).endsAt;
export const digestOf = (key: string) => createHash('sha256').update(key).digest('hex');
export const saltKey = 'sk-salt-of-the-old-site';
/** Encrypted by PyNaCl 1.6 with the salt key, as LiteLLM does. */
const sealed = {
  modelA: 'TvfIBpBNQoFbpO_WJHdvPb7cXNTAy0T_3MdjDPDmO23eGmI83N2whlr-_W3SPyFM2i9LJG6F',
  openaiKey:
    'oddPsm-eQd95MF3Tz255UXbwcgEUQpkzjVXbu1wHM3ygZor4MzSjc9hjpiQX4sw9lWWyCpCZIntYNwDm0RrluzE=',
  claude:
    '5wXEQoVlW1MNsv3f4Ke7rqwxozo8YP1YaHGEI7QtEG-MLVKlxYZGV04Sx5pk9Osl-9sts-Hb0sfADu3BUEfFCyAMhA==',
  claudeKey: 'anxAQCQR04zzUQwulTbeFtbGd0r4d8bWyfaok2JmoHiVnGw7-ENegXlQ_9HXr2s4jlQ=',
};

export const litellmRows = (upstream: string): LitellmRows => ({
  LiteLLM_UserTable: [
    { user_id: 'default_user_id', user_role: 'proxy_admin', spend: 0.25 },
    {
      user_id: 'u-alice',
      user_email: 'Alice@Example.com',
      user_role: 'internal_user',
      max_budget: 10,
      spend: 4,
      rpm_limit: 60,
      max_parallel_requests: 2,
      models: [],
      sso_user_id: 'sso-1',
      metadata: { model_rpm_limit: { 'model-a': 5 } },
    },
    { user_id: 'u-bob', user_alias: 'Bob B', spend: 1e-7, models: ['no-default-models'] },
  ].map((user, index) => ({ created_at: at(-30 + index), ...user })),
  LiteLLM_TeamTable: [
    {
      team_id: 't-1',
      team_alias: 'Research Team',
      created_at: at(-20),
      blocked: false,
      max_budget: 100,
      soft_budget: 60,
      spend: 12.5,
      budget_duration: '30d',
      budget_reset_at: new Date(monthEnd * 1000).toISOString().slice(0, 23),
      models: ['model-a', 'alias-of-a', 'fast'],
      model_max_budget: {},
    },
    { team_id: 't-2', team_alias: 'Blocked', created_at: at(-19), blocked: true, spend: 0 },
  ],
  LiteLLM_BudgetTable: [
    { budget_id: 'b-1', max_budget: 14, budget_duration: '14d', created_by: 'x', tpm_limit: 9000 },
    {
      budget_id: 'b-2',
      max_budget: 3,
      budget_duration: '7d',
      rpm_limit: 20,
      budget_reset_at: at(2),
    },
    { budget_id: 'b-3', rpm_limit: 7 },
  ],
  LiteLLM_TeamMembership: [
    { user_id: 'u-alice', team_id: 't-1', spend: 1, total_spend: 12.5, budget_id: 'b-2' },
    { user_id: 'u-bob', team_id: 't-1', spend: 0, budget_id: 'b-3' },
  ],
  LiteLLM_VerificationToken: [
    {
      token: digestOf('sk-alice_key-12'),
      key_alias: 'laptop',
      user_id: 'u-alice',
      spend: 1.5,
      max_budget: 2,
      budget_duration: '24h',
      budget_reset_at: at(0.25),
      model_max_budget: { 'model-a': { budget_limit: 0.5, time_period: '1d' } },
    },
    {
      token: digestOf('sk-team'),
      key_alias: 'team key',
      team_id: 't-1',
      user_id: 'u-alice',
      models: ['model-a', 'model-b'],
      spend: 12.5,
      budget_id: 'b-1',
    },
    { token: digestOf('sk-bob'), key_name: 'sk-...-bob', user_id: 'u-bob', models: [] },
    { token: digestOf('sk-blocked'), user_id: 'u-alice', blocked: true },
    { token: digestOf('sk-old'), user_id: 'u-alice', expires: at(-1) },
    { token: digestOf('sk-lost'), user_id: 'u-gone', permissions: { get_spend_routes: true } },
    { token: digestOf('sk-odd'), user_id: 'u-alice', max_budget: 1, budget_duration: 'soon' },
  ].map((key, index) => ({ created_at: at(-10 + index), spend: 0, ...key })),
  LiteLLM_ProxyModelTable: [
    {
      model_id: 'd-1',
      model_name: 'model-a',
      model_info: { access_groups: ['fast'] },
      litellm_params: {
        model: sealed.modelA,
        api_key: sealed.openaiKey,
        api_base: `${upstream}/v1`,
        rpm: 100,
        input_cost_per_token: 0.000002,
        output_cost_per_token: 0.000008,
      },
    },
    {
      model_id: 'd-2',
      model_name: 'model-b',
      model_info: {},
      litellm_params: {
        model: sealed.modelA,
        api_key: sealed.openaiKey,
        api_base: `${upstream}/v1`,
      },
    },
    {
      model_id: 'd-3',
      model_name: 'claude',
      model_info: {},
      litellm_params: { model: sealed.claude, litellm_credential_name: 'vendor' },
    },
    {
      model_id: 'd-4',
      model_name: 'of a team',
      model_info: { team_id: 't-1' },
      litellm_params: { model: 'openai/x', api_key: 'k' },
    },
    {
      model_id: 'd-5',
      model_name: 'openai/*',
      model_info: {},
      litellm_params: { model: 'openai/*', api_key: 'k' },
    },
  ].map((model, index) => ({ created_at: at(-9 + index), created_by: 'x', ...model })),
  LiteLLM_CredentialsTable: [
    {
      credential_id: 'c-1',
      credential_name: 'vendor',
      credential_values: { api_key: sealed.claudeKey },
    },
  ],
  LiteLLM_Config: [
    {
      param_name: 'router_settings',
      param_value: { model_group_alias: { 'alias-of-a': 'model-a' }, num_retries: 3 },
    },
  ],
  LiteLLM_SpendLogs: [
    {
      request_id: 'r-1',
      api_key: digestOf('sk-alice_key-12'),
      user: 'u-alice',
      spend: 0.5,
      model_id: 'd-1',
      model_group: 'model-a',
      startTime: at(-2),
      endTime: at(-2 + 3 / 86_400),
      completionStartTime: at(-2 + 1 / 86_400),
      request_tags: ['job', 'a,b'],
      status: 'success',
      metadata: { usage_object: { prompt_tokens_details: { cached_tokens: 4 } } },
    },
    {
      request_id: 'r-2',
      api_key: digestOf('sk-team'),
      user: 'u-alice',
      team_id: 't-1',
      spend: 3.3e-7,
      model_group: 'model-b',
      startTime: at(-1),
      endTime: at(-1),
    },
    {
      request_id: 'r-3',
      api_key: 'gone',
      spend: 0,
      model: 'model-a',
      status: 'failure',
      startTime: at(-3),
      endTime: at(-3),
    },
  ].map((row) => ({
    call_type: 'acompletion',
    prompt_tokens: 10,
    completion_tokens: 5,
    total_tokens: 15,
    messages: { secret: 'what was said' },
    ...row,
  })),
  LiteLLM_OrganizationTable: [
    { organization_id: 'o-1', organization_alias: 'Org', budget_id: 'b' },
  ],
  LiteLLM_DailyUserSpend: [{ id: '1', user_id: 'u-alice', date: '2026-11-01', spend: 1 }],
});

export const litellmConfig = `
model_list:
  - model_name: local
    litellm_params: { model: hosted_vllm/qwen, api_base: "http://10.0.0.5:8000/v1" }
  - model_name: mini
    litellm_params: { model: azure/deployment-1, api_base: os.environ/AZURE_BASE, api_key: os.environ/AZURE_KEY, api_version: "2025-04-01-preview" }
  - model_name: nova
    litellm_params: { model: bedrock/eu-central-1/vendor.model-v1, aws_access_key_id: id, aws_secret_access_key: secret }
  - model_name: none
    litellm_params: { model: groq/some-model, api_key: os.environ/NOBODY_SET_IT }
  - model_name: odd
    litellm_params: { model: replicate/some-model, api_key: k }
general_settings:
  master_key: sk-master-of-old
litellm_settings:
  drop_params: true
`;
