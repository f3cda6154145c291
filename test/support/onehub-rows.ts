/** A site of one-hub whose first channel has this address. */
import { type FamilyRow, type FamilyRows, rootPassword } from './family-database.ts';

const now = Math.floor(Date.now() / 1000);
/** The key of token 1, of user 2. Keys there: 15 characters, a line, and a signature in base64url; older ones have 48. */
export const oneHubKey = `AbCdEfGhIjKlMnO_${'s-_x'.repeat(10)}abc`;
const oldKey = 'o'.repeat(48);

const user = (id: number, username: string, more: FamilyRow = {}): FamilyRow => ({
  ...{ id, username, password: rootPassword.hash, display_name: username, role: 1, status: 1 },
  ...{ quota: 0, group: 'default', aff_code: `a${id}`, access_token: `${id}`.repeat(32) },
  ...{ telegram_id: 0, github_id_new: 0, created_time: 1_700_000_000 + id },
  ...more,
});
const token = (id: number, name: string, more: FamilyRow = {}): FamilyRow => ({
  ...{ id, user_id: 2, key: `${id}`.padStart(48, 'k'), status: 1, name, expired_time: -1 },
  ...{ remain_quota: 100_000, used_quota: 10, created_time: 5, setting: '{}' },
  ...more,
});
const channel = (id: number, type: number, name: string, more: FamilyRow = {}): FamilyRow => ({
  ...{ id, type, name, key: `key-${id}`, status: 1, models: `model-${id}`, created_time: id },
  ...more,
});
const json = (value: unknown) => JSON.stringify(value);

export const oneHubRows = (upstream: string): FamilyRows => ({
  users: [
    user(1, 'root', { role: 100, quota: 5_000_000 }),
    user(2, 'alice', {
      ...{ quota: 1_000_000, used_quota: 70, request_count: 2, group: 'vip', telegram_id: 4711 },
      ...{ github_id: 'alice-gh', github_id_new: 99, email: 'Alice@Example.com', lark_id: 'ou_1' },
    }),
    user(3, 'staff', { role: 3, github_id: 'staff-gh' }),
    user(4, 'gone_del_x1', { deleted_at: '2025-04-11 23:31:32.1+08:00' }),
  ],
  tokens: [
    token(1, 'main', { key: oneHubKey, group: 'vip' }),
    token(2, 'limited', {
      key: oldKey,
      backup_group: 'default',
      setting: json({
        heartbeat: { enabled: true, timeout_seconds: 10 },
        limits: {
          limit_model_setting: { enabled: true, models: ['sold', 'other'] },
          limits_ip_setting: { enabled: true, whitelist: ['10.0.0.0/8', '192.0.2.7'] },
        },
        billing_tag: 'team a',
      }),
    }),
    token(3, 'earlier', {
      ...{ group: 'inner', backup_group: 'default', unlimited_quota: true },
      setting: json({ limits: { enabled: true, models: ['sold'] } }),
    }),
  ],
  channels: [
    channel(1, 1, 'plain', {
      ...{ base_url: `${upstream}/`, models: 'sold,alias,house-*', group: 'default,vip' },
      model_mapping: json({ sold: 'upstream-model', alias: '+upstream-model' }),
      model_headers: json({ 'X-Team': 'blue' }),
      custom_parameter: json({ overwrite: true, top_k: 5 }),
      used_quota: 70,
    }),
    channel(2, 25, 'gemini', { other: 'v1', proxy: 'socks5://proxy.example:1080' }),
    channel(3, 32, 'bedrock', { key: 'us-east-1|access|secret' }),
    channel(4, 32, 'bedrock key', { key: 'us-east-1|bearer' }),
    channel(5, 32, 'bedrock session', { key: 'us-east-1|access|secret|session' }),
    channel(6, 35, 'cloudflare', { key: 'account|secret' }),
    channel(7, 42, 'vertex', {
      ...{ key: json({ project_id: 'own', client_email: 'a@b' }), other: 'global|sold' },
      custom_parameter: json({ top_k: 5 }),
    }),
    channel(8, 31, 'groq', { custom_parameter: json({ 'a.b': 1, stream: true }) }),
    channel(9, 37, 'stability'),
    channel(10, 43, 'llama', { base_url: 'https://llama.example' }),
    channel(11, 44, 'nowhere'),
    channel(12, 8, 'own paths', {
      base_url: 'https://own.example/api/v3',
      plugin: json({ customize: { '1': '/chat/completions' } }),
    }),
    channel(13, 8, 'own version', {
      base_url: 'https://own.example/v1',
      plugin: json({ customize: { '1': '/chat/completions' } }),
    }),
    channel(14, 55, 'azure v1', { base_url: 'https://res.openai.azure.com', other: 'preview' }),
    channel(15, 49, 'github', { only_chat: true }),
    channel(16, 1, 'dropped', { deleted_at: '2025-04-11 23:31:32' }),
    channel(18, 34, 'drawings', {
      base_url: 'https://mj.example',
      models: 'mj_imagine,mj_swap_face',
    }),
    channel(19, 41, 'music', {
      base_url: 'https://suno.example',
      models: 'chirp-v3-5,suno_lyrics',
    }),
    channel(17, 16, 'zhipu', {
      custom_parameter: json({ per_model: true, pre_add: true, sold: { temperature: 1 } }),
    }),
  ],
  options: [
    { key: 'QuotaPerUnit', value: '500000' },
    { key: 'SystemName', value: 'Old hub' },
    { key: 'OIDCIssuer', value: 'https://id.example/' },
    { key: 'ModelRatio', value: '{"sold":99}' },
    { key: 'GroupRatio', value: '{"default":99}' },
    { key: 'RetryTimeOut', value: '10' },
  ],
  prices: [
    {
      model: 'upstream-model',
      type: 'tokens',
      channel_type: 1,
      input: 1.5,
      output: 4.5,
      extra_ratios: json({ cached_tokens: 0.5 }),
    },
    { model: 'by-call', type: 'times', input: 25, output: 25 },
    { model: 'chirp-v3-5', type: 'times', input: 60, output: 60 },
    { model: 'mj_swap_face', type: 'times', input: 20, output: 20 },
  ],
  user_groups: [
    {
      id: 1,
      symbol: 'default',
      name: '默认分组',
      ratio: 1,
      public: true,
      api_rate: 600,
      enable: true,
    },
    { id: 2, symbol: 'vip', name: 'VIP', ratio: 0.8, api_rate: 30, promotion: true, enable: true },
    { id: 3, symbol: 'inner', name: 'inner', ratio: 0.5, public: true, enable: false },
  ],
  redemptions: [
    {
      id: 1,
      user_id: 1,
      key: 'r'.repeat(32),
      status: 1,
      name: 'gift',
      quota: 250_000,
      created_time: 5,
      redeemed_time: 0,
    },
  ],
  payments: [{ id: 7, type: 'epay', uuid: 'u', name: 'Pay', currency: 'CNY', config: '{}' }],
  orders: [
    {
      id: 1,
      user_id: 2,
      gateway_id: 7,
      trade_no: 'T1',
      gateway_no: 'G1',
      amount: 10,
      order_amount: 72.5,
      order_currency: 'CNY',
      quota: 5_000_000,
      status: 'success',
      created_at: 5,
      updated_at: 9,
    },
    {
      id: 2,
      user_id: 2,
      gateway_id: 8,
      trade_no: 'T2',
      amount: 1,
      order_amount: 7.3,
      quota: 500_000,
      status: 'closed',
      created_at: 6,
      updated_at: 8,
    },
  ],
  logs: [
    {
      ...{ id: 1, user_id: 2, username: 'alice', created_at: now - 60, type: 2, quota: 70 },
      ...{ model_name: 'upstream-model', token_name: 'main', channel_id: 1, is_stream: true },
      ...{ prompt_tokens: 30, completion_tokens: 6, request_time: 2_345, source_ip: '192.0.2.9' },
      metadata: json({
        ...{ group_name: 'vip', price_type: 'tokens', group_ratio: 0.8, input_ratio: 1.5 },
        ...{ output_ratio: 4.5, first_response: 321, cached_tokens: 10, cached_tokens_ratio: 0.5 },
      }),
    },
    { id: 2, user_id: 2, created_at: now - 50, type: 0, content: 'odd' },
  ],
  midjourneys: [
    {
      id: 1,
      code: 1,
      user_id: 2,
      action: 'IMAGINE',
      mj_id: 'm1',
      submit_time: 5_000,
      status: 'SUCCESS',
      progress: '100%',
      quota: 50,
      mode: 'fast',
      token_id: 1,
    },
  ],
  tasks: [
    {
      id: 1,
      created_at: 5,
      task_id: 't1',
      platform: 'suno',
      user_id: 2,
      channel_id: 1,
      quota: 5,
      action: 'MUSIC',
      status: 'SUCCESS',
      submit_time: 5,
      progress: 100,
      properties: '{}',
      data: '{}',
      token_id: 1,
    },
    {
      id: 2,
      created_at: 5,
      task_id: 't2',
      platform: 'suno',
      user_id: 2,
      channel_id: 1,
      quota: 5,
      action: 'MUSIC',
      status: 'IN_PROGRESS',
      submit_time: 5,
      progress: 30,
      properties: '{}',
      data: '{}',
    },
  ],
  statistics: [{ date: '2026-02-20', user_id: 2, channel_id: 1, model_name: 'm', quota: 70 }],
  webauthn_credentials: [{ id: 1, user_id: 2, created_time: 5 }],
  migrations: [{ id: '202405152141' }],
});
