/**
 * A transport with data for the screens: channels in every state, Chinese names, a retried request.
 */
import type { Transport } from '../../src/core/contract/client.ts';
import type { ChannelEntity, LogEntity, TokenEntity } from '../../src/core/contract/entities.ts';
import type { ChannelHealth, Overview } from '../../src/core/contract/overview.ts';

/** 2026-11-20 12:00 UTC. */
export const now = Date.UTC(2026, 10, 20, 12) / 1000;

const healthOf = (
  id: number,
  name: string,
  fields: Partial<ChannelHealth> = {},
): ChannelHealth => ({
  state: 'working',
  id,
  name,
  type: 1,
  status: 1,
  response_time: 620,
  recent: [0, 0, 1, 2],
  status_reason: '',
  status_time: 0,
  requests: 4,
  tripped: false,
  ...fields,
});
export const tokenRow = (
  id: number,
  fields: Partial<TokenEntity>,
): TokenEntity & { username: string } => ({
  id,
  user_id: 2,
  username: 'linxi',
  name: `token ${id}`,
  key: '',
  status: 1,
  remain_quota: 500_000,
  used_quota: 0,
  unlimited_quota: false,
  group: '',
  expired_time: -1,
  model_limits: '',
  model_limits_enabled: false,
  allow_ips: '',
  created_time: now,
  accessed_time: now,
  ...fields,
});
const healths: readonly ChannelHealth[] = [
  healthOf(1, 'OpenAI main'),
  healthOf(10, 'Claude 官方直连', { type: 14, response_time: 1380 }),
  healthOf(8, 'Gemini free', {
    type: 24,
    status: 3,
    state: 'auto_disabled',
    status_reason: 'balance 0',
  }),
  healthOf(2, 'SiliconCloud', { status: 2, state: 'disabled', response_time: 0, recent: [] }),
  healthOf(5, 'Slow', { response_time: 7800 }),
  healthOf(6, 'Tripped', { tripped: true, state: 'cooling' }),
];

const overview: Overview = {
  started_at: now - 273_600,
  version: 'test',
  base_url: 'http://127.0.0.1:3000',
  rpm: 12,
  tpm: 29_000,
  spent_today: 97_040_000,
  requests_today: 12_480,
  succeeded: 9962,
  failed: 38,
  refused: 0,
  prompt_tokens: 1000,
  cached_tokens: 320,
  requests_by_minute: Array.from({ length: 60 }, (_, minute) => minute % 31),
  tokens_by_minute: Array.from({ length: 60 }, (_, minute) => (minute % 7) * 1000),
  quota_by_minute: Array.from({ length: 60 }, (_, minute) => (minute % 5) * 5000),
  failed_by_minute: Array.from({ length: 60 }, (_, minute) => (minute === 59 ? 2 : 0)),
  models: [
    { model_name: 'claude-sonnet-4-5', quota: 41_070_000, count: 9 },
    { model_name: 'gpt-5.1', quota: 25_685_000, count: 3 },
  ],
  channel_states: {
    auto_disabled: 1,
    cooling: 1,
    failing: 0,
    working: 3,
    untested: 0,
    disabled: 1,
  },
  channels: [...healths],
  ending_models: [],
  late_jobs: [],
  disk_left: -1,
  separate_nodes: [],
};

const step = { type: 14, priority: 10, weight: 20, reason: 'weight' };
const other = JSON.stringify({
  model_ratio: 1.5,
  model_price: -1,
  completion_ratio: 5,
  group_ratio: 0.8,
  cache_tokens: 12_288,
  cache_ratio: 0.1,
  group: 'vip',
  frt: 1120,
  usage_source: 'upstream',
  admin_info: {
    use_channel: ['9', '10'],
    route: [
      { ...step, channel: 9, name: 'Bedrock', ms: 300, status: 429, error: 'upstream_error' },
      {
        ...step,
        channel: 10,
        name: 'Claude 官方直连',
        ms: 13_900,
        status: 200,
        replied_model: 'small',
        other_model: true,
        upstream_id: 'req_up',
      },
    ],
  },
});

/** A request of 18,420 prompt tokens, 12,288 of them cached, and 1,326 output tokens. */
export function request(id: number, fields: Partial<LogEntity> = {}): LogEntity {
  return {
    id,
    user_id: 2,
    created_at: now - 60 + id,
    type: 2,
    content: '',
    username: id % 2 === 0 ? 'linxi' : '林溪',
    token_name: 'Production',
    model_name: 'claude-sonnet-4-5',
    quota: 16_789,
    prompt_tokens: 18_420,
    completion_tokens: 1326,
    use_time: 14,
    is_stream: true,
    channel: 10,
    channel_name: 'Claude 官方直连',
    token_id: 1,
    group: 'vip',
    other,
    request_id: `req-${id}`,
    tags: '',
    ...fields,
  };
}

function channel(row: ChannelHealth): ChannelEntity {
  return {
    id: row.id,
    type: row.type,
    key: '',
    name: row.name,
    status: row.status,
    models: 'a,b,c',
    group: 'default',
    base_url: '',
    other: '',
    openai_organization: '',
    test_model: '',
    max_input_tokens: 0,
    model_mapping: '',
    status_code_mapping: '',
    priority: 10,
    weight: 20,
    auto_ban: 1,
    tag: row.id === 1 || row.id === 10 ? 'main' : '',
    setting: '',
    param_override: '',
    cost: '',
    other_info:
      row.status_reason === '' ? '' : JSON.stringify({ status_reason: row.status_reason }),
    response_time: row.response_time,
    test_time: 0,
    balance: 0,
    balance_updated_time: 0,
    used_quota: 92_135_000,
    created_time: now,
  };
}

export const channelRow = channel(healthOf(1, 'a channel'));

export interface FakeSite {
  readonly transport: Transport;
  /** `METHOD path` of the calls that change something, with their input. */
  readonly changes: readonly (readonly [string, Record<string, unknown>])[];
  /** Rows of the log; a pushed row appears as a new one. */
  readonly log: LogEntity[];
  /** The names of the channels by id, where they differ from the usual ones. */
  readonly names: Record<number, string>;
  /** Channels of the tag `late` on the second page. */
  further: number;
  fail: boolean;
  /** What a test of a channel says. */
  tested: { readonly success: boolean; readonly message: string; readonly time: number };
  /**
   * Data of replies by `METHOD path`, in place of the usual ones; an error is the message of a
   * refusal.
   */
  readonly replies: Record<string, (input: Record<string, unknown>) => unknown>;
}

export function createFakeSite(): FakeSite {
  const changes: [string, Record<string, unknown>][] = [];
  const log = [1, 2, 3].map((id) => request(id));
  const ok = (data: unknown, total?: number) => ({
    status: 200,
    body: { success: true, message: '', data },
    total,
  });
  const site: FakeSite = {
    changes,
    log,
    names: {},
    further: 0,
    fail: false,
    tested: { success: true, message: '', time: 0.62 },
    replies: {},
    transport: async (call, input) => {
      if (site.fail)
        return {
          status: 503,
          body: { success: false, message: 'gone fishing', code: 'database_unavailable' },
        };
      if (call.method !== 'GET') changes.push([`${call.method} ${call.path}`, input]);
      const own = site.replies[`${call.method} ${call.path}`]?.(input);
      if (own instanceof Error)
        return {
          status: 400,
          body: { success: false, message: own.message, code: 'invalid_parameter' },
        };
      if (Array.isArray(own)) return ok(own, own.length);
      if (own !== undefined) return ok(own);
      switch (call.path) {
        case '/api/turnpike/overview':
          return ok(overview);
        case '/api/turnpike/log/tail':
          return ok(log.filter((row) => row.id > Number(input['after'] ?? 0)));
        case '/api/channel/': {
          const [first] = healths;
          if (call.method !== 'GET') return ok(first && channel(first));
          const rest = Array.from({ length: site.further }, (_, index) => ({
            ...first,
            id: 100 + index,
            name: `late ${index}`,
          }));
          const page =
            input['p'] === 0
              ? healths.map((row) => ({ ...row, name: site.names[row.id] ?? row.name }))
              : rest;
          const tagged = (row: ChannelEntity) => (row.id < 100 ? row : { ...row, tag: 'late' });
          return ok(
            page.map((row) => tagged(channel(row as ChannelHealth))),
            healths.length + site.further,
          );
        }
        case '/api/turnpike/token':
          return ok({
            items: [
              tokenRow(1, {}),
              tokenRow(2, { expired_time: now - 5 }),
              tokenRow(3, { remain_quota: 0 }),
            ],
            total: 3,
          });
        case '/api/channel/:id':
          return ok(undefined);
        case '/api/channel/test/:id':
          return { status: 200, body: site.tested };
        default:
          return {
            status: 404,
            body: { success: false, message: 'no such path', code: 'unknown_url' },
          };
      }
    },
  };
  return site;
}
