/**
 * A gateway with full data for the terminal screens: thousands of users, channels, tokens, codes,
 * requests, tasks, drawings and postings in every state, with Chinese names, emoji, very long names
 * and names that try to control the terminal.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import {
  drawingActions,
  drawingStatuses,
  taskStatuses,
} from '../../src/core/vocabulary/task-types.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import { linkPostings } from './link-postings.ts';
import { chatReply, errorReply, startUpstream, type TestUpstream } from './upstream.ts';

export interface FullSite {
  readonly gateway: TestGateway;
  /** Requests that the gateway answers now, some of them after a retry, some with an error. */
  callModels(count: number): Promise<void>;
  close(): Promise<void>;
}

type Row = Readonly<Record<string, string | number | null>>;

/** Names that break a screen which trusts them. */
export const hostileNames = [
  'escape \u001b[2J\u001b[31mred\u0007 bell',
  'reversed \u202egnp.exe\u2066',
  'two\r\nlines\tand a tab',
  'csi \u009b31m and \u0000 nul',
  'family 👨‍👩‍👧‍👦 flag 🇨🇳 heart ❤️ thumb 👍🏽',
  'zalgo Z̷̢̛͇͎̗̙̪̲̮͔̓̈́̊̽a̶l̵g̴o̸',
  'zero\u200bwidth\ufeff soft\u00adhyphen',
  'العربية mixed with עברית',
  `long ${'abcdefghij'.repeat(10)}`,
  `很长的名字${'渠道名称'.repeat(20)}`,
  '한국어 이름 과 ไทย ชื่อ',
  'ｆｕｌｌｗｉｄｔｈ ½ ① ★ ☃',
] as const;

const models = [
  'gpt-5.1',
  'claude-sonnet-4-5',
  'gemini-2.5-pro',
  'deepseek-chat',
  'qwen3-max',
  `model-with-a-name-that-never-ends-${'x'.repeat(60)}`,
];

function pick<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}

/** `users`: how many besides root. */
export async function startFullSite(users = 10_000): Promise<FullSite> {
  const upstream = await startUpstream();
  const gateway = await startTestGateway({ UPDATE_TASK: 'false' });
  await gateway.set('RetryTimes', 2);
  await gateway.set('GroupRatio', { default: 1, vip: 0.8, svip: 0.5 });
  await gateway.client.option.set({ key: 'SMTPToken', value: 'the hidden value' });
  await makeChannels(gateway, upstream);
  const { key } = await gateway.addCustomer(5_000_000, { name: 'Production 生产环境' });
  const database = new Database(join(gateway.dataDir, 'turnpike.db'), { timeout: 5000 });
  database.transaction(() => {
    fill(database, users);
    linkPostings(database);
  })();
  await makeTokensAndCodes(gateway, database);
  database.close();
  await gateway.restart();
  return {
    gateway,
    callModels: (count) => callModels(gateway, upstream, key, count),
    close: async () => {
      await gateway.close();
      await upstream.close();
    },
  };
}

async function makeChannels(gateway: TestGateway, upstream: TestUpstream): Promise<void> {
  const many = Array.from({ length: 300 }, (_, index) => `vendor/model-${index}-preview`).join(',');
  const live = [
    {
      name: 'OpenAI main',
      type: 1,
      models: models.join(','),
      priority: 10,
      weight: 20,
      tag: 'main',
    },
    {
      name: 'Claude 官方直连',
      type: 14,
      models: 'claude-opus-4-5',
      priority: 10,
      weight: 5,
      tag: 'main',
    },
    { name: 'Backup 备用 🚀', type: 43, models: models.join(','), priority: 0, weight: 1 },
    { name: 'Hundreds of models', type: 20, models: many, tag: '聚合渠道' },
  ];
  for (const fields of live)
    await gateway.addChannel({ baseUrl: upstream.url, group: 'default,vip', ...fields });
  for (const index of hostileNames.keys()) {
    await gateway.addChannel({ baseUrl: upstream.url, type: 1, models: `only-here-${index}` });
  }
}

/** Rows that are written directly: states that calls reach only with time. */
function fill(database: Database.Database, users: number): void {
  const now = Math.floor(Date.now() / 1000);
  const insert = (table: string, row: Row): number => {
    const names = Object.keys(row).map((name) => `"${name}"`);
    const marks = Object.keys(row).map((name) => `@${name}`);
    return Number(
      database.prepare(`insert into ${table} (${names}) values (${marks})`).run(row)
        .lastInsertRowid,
    );
  };
  let posting = Number(database.prepare('select max(id) from ledger').pluck().get() ?? 0);
  let log = Number(database.prepare('select max(id) from logs').pluck().get() ?? 0);
  const post = (userId: number, kind: string, amount: number, balance: number, age: number) =>
    insert('ledger', {
      id: ++posting,
      user_id: userId,
      kind,
      amount,
      balance_after: balance,
      reference: `${kind}-${posting}`,
      created_at: now - age,
    });

  for (let index = 0; index < users; index++) {
    const fromEnd = users - 1 - index;
    const name =
      fromEnd < hostileNames.length ? `${fromEnd} ${pick(hostileNames, fromEnd)}` : `user-${index}`;
    const quota = (index * 7919) % 90_000_000;
    const id = insert('users', {
      username: name,
      username_normalized: name,
      password: 'x',
      display_name:
        fromEnd < 30 ? pick(['林溪', 'José 🎉', '', 'A name of some length'], index) : '',
      role: fromEnd % 25 === 3 ? 10 : 1,
      status: fromEnd % 9 === 4 ? 2 : 1,
      group: pick(['default', 'vip', 'svip', '超长的用户分组名称'], index),
      quota,
      used_quota: 0,
      request_count: 0,
      aff_code: `c${index}`,
      inviter_id: fromEnd % 5 === 1 ? 1 : 0,
      created_at: now - index,
    });
    post(id, 'opening', quota, quota, 86_400);
    if (index > 0) continue;
    let balance = quota;
    for (const [place, kind] of [
      'grant',
      'top_up',
      'redemption',
      'invite',
      'transfer',
      'refund',
      'adjustment',
      'import',
    ].entries()) {
      const amount = kind === 'adjustment' ? -300_000 : 125_000 * (place + 1);
      balance += amount;
      post(id, kind, amount, balance, 3600 - place);
    }
    database.prepare('update users set quota = ? where id = ?').run(balance, id);
  }

  const set = (id: number, row: Row) => {
    const changes = Object.keys(row).map((name) => `"${name}" = @${name}`);
    database.prepare(`update channels set ${changes} where id = @id`).run({ ...row, id });
  };
  const reason = JSON.stringify({
    status_reason: 'HTTP 401: \u001b[31minvalid api key 无效的密钥',
    status_time: now - 500,
  });
  // The calls refuse such names; an imported database may hold them.
  for (const [index, name] of hostileNames.entries()) set(index + 5, { name: `${index} ${name}` });
  set(5, { status: 2 });
  set(6, { status: 3, other_info: reason });
  set(7, { response_time: 12_340, test_time: now - 60, weight: 100_000, priority: -12_345 });
  set(8, { used_quota: 9_007_199_254_740_000, balance: 1234.5, balance_updated_time: now });

  for (let index = 0; index < 120; index++) {
    const other = requestDetail(index);
    const isError = index % 11 === 5;
    insert('logs', {
      id: ++log,
      user_id: 2,
      created_at: now - 4000 + index * 30,
      type: index % 17 === 3 ? 3 : isError ? 5 : 2,
      content: isError
        ? `upstream said: \u001b[31m${'no capacity, '.repeat(20)}`
        : index % 17 === 3
          ? '管理员修改了余额 \u001b[2J'
          : '',
      username: pick([...hostileNames, 'linxi'], index),
      token_name: pick(['Production', '生产环境', hostileNames[0]], index),
      model_name: index % 17 === 3 ? '' : pick(models, index),
      quota: isError ? 0 : index % 5 === 0 ? index * 104_729 : 16_789,
      prompt_tokens: isError ? 0 : 18_420,
      completion_tokens: isError ? 0 : 1326,
      use_time: index % 40,
      is_stream: index % 2,
      channel_id: (index % 16) + 1,
      group: 'vip',
      other: isError
        ? JSON.stringify({ ...other, status_code: 502, error_code: 'do_request_failed' })
        : JSON.stringify(other),
      request_id: `req-${'0123456789abcdef'.repeat(2)}-${index}`,
    });
  }

  for (let index = 0; index < 30; index++) {
    const status = pick(taskStatuses, index);
    const isEnd = status === 'SUCCESS' || status === 'FAILURE';
    const shared = {
      user_id: 2 + (index % 5),
      channel_id: (index % 16) + 1,
      quota: status === 'FAILURE' ? 0 : 50_000 * index,
      fail_reason:
        status === 'FAILURE'
          ? `${pick(hostileNames, index)}: ${'no credits left '.repeat(30)}`
          : '',
      progress: isEnd ? '100%' : '40%',
    };
    insert('tasks', {
      ...shared,
      task_id: `task-${index}-${'0f'.repeat(8)}`,
      platform: pick(['suno', 'ali'], index),
      action: pick(['MUSIC', 'LYRICS', 'IMAGE', 'VIDEO'], index),
      status,
      submit_time: now - 3600,
      start_time: now - 3500,
      finish_time: isEnd ? now - 3000 : 0,
      created_at: now - 3600,
      updated_at: now,
      properties: JSON.stringify({
        input: `${pick(hostileNames, index)} ${'a bridge in the morning '.repeat(20)}`,
      }),
      data: '[]',
    });
    const drawn = pick(drawingStatuses, index);
    insert('midjourneys', {
      ...shared,
      mj_id: `${1_700_000_000_000 + index}`,
      action: pick(drawingActions, index),
      code: pick([1, 21, 22, 0], index),
      status: drawn,
      prompt: `${pick(hostileNames, index)} ${'a bridge at night, '.repeat(20)}`,
      prompt_en: 'a bridge at night',
      image_url:
        drawn === 'SUCCESS' ? `https://example.com/${'image/'.repeat(30)}${index}.png` : '',
      submit_time: (now - 3600) * 1000,
      start_time: (now - 3500) * 1000,
      finish_time: drawn === 'SUCCESS' ? (now - 3000) * 1000 : 0,
    });
  }
}

/** What a request cost and where it went: short for most, for some longer than any screen. */
function requestDetail(index: number): object {
  const step = { type: 14, priority: 10, weight: 20, reason: 'weight' };
  const failed = Array.from({ length: index % 7 === 2 ? 24 : index % 3 }, (_, place) => ({
    ...step,
    channel: place + 5,
    name: pick(hostileNames, place),
    ms: 300 + place,
    status: 429,
    error: 'upstream_error',
    message: `rate limited: ${'try again later '.repeat(8)}`,
  }));
  return {
    model_ratio: 1.5,
    model_price: -1,
    completion_ratio: 5,
    group_ratio: 0.8,
    cache_tokens: 12_288,
    cache_ratio: 0.1,
    group: 'vip',
    frt: 1120,
    usage_source: pick(['upstream', 'counted'], index),
    request_path: '/v1/chat/completions',
    ...(index % 13 === 4 ? { ended: 'client_gone' } : {}),
    ...(index % 13 === 6 ? { debt: 12_345 } : {}),
    admin_info: {
      ip: '2001:db8:85a3:8d3:1319:8a2e:370:7348',
      use_channel: [...failed.map(({ channel }) => String(channel)), '2'],
      route: [
        ...failed,
        {
          ...step,
          channel: 2,
          name: 'Claude 官方直连',
          ms: 13_900,
          status: 200,
          candidates: [2, 3, 4, 5, 6, 7, 8],
        },
      ],
    },
  };
}

async function makeTokensAndCodes(
  { client }: TestGateway,
  database: Database.Database,
): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const states = [
    { unlimited_quota: true },
    { remain_quota: 500_000, model_limits_enabled: true, model_limits: models.join(',') },
    { remain_quota: 0 },
    { remain_quota: 123_456_789, allow_ips: '10.0.0.0/8\n2001:db8::/32', group: 'vip' },
  ];
  for (const [index, name] of ['backup script', '备份脚本', ...hostileNames].entries()) {
    const { id } = await client.userTokens.create({
      name: 'token',
      user: 'root',
      ...pick(states, index),
    });
    database.prepare('update tokens set name = ? where id = ?').run(name, id);
    if (index % 4 === 1) await client.userTokens.update({ id, status: 2 });
    if (index % 6 === 3)
      database.prepare('update tokens set expired_time = ? where id = ?').run(now - 60, id);
  }
  // They only warn, and do not end: what they show is the same at every time of the day.
  for (const budget of [
    { name: '部门预算 2026', owner: 'token', owner_id: '1', amount: 40_000 },
    { name: 'everybody', owner: 'group', owner_id: 'default', amount: 500_000_000 },
    {
      owner: 'token',
      owner_id: '1',
      each: 'conversation',
      amount: 2_500_000,
      models: models.join(','),
    },
  ])
    await client.budgets.create({ ...budget, period: 'total', at_end: 'warn', thresholds: '' });
  await client.redemption.createBatch({ name: '春节活动', quota: 500_000, count: 60 });
  await client.redemption.createBatch({
    name: 'spring 🎁',
    quota: 5_000_000,
    count: 60,
    expired_time: now + 90_000,
  });
  database
    .prepare(
      'update redemptions set status = 3, redeemed_time = ?, used_user_id = 2 where id % 5 = 1',
    )
    .run(now - 30);
  database.prepare('update redemptions set status = 2 where id % 5 = 2').run();
  database.prepare('update redemptions set expired_time = ? where id % 7 = 3').run(now - 10);
}

async function callModels(
  gateway: TestGateway,
  upstream: TestUpstream,
  key: string,
  count: number,
): Promise<void> {
  for (let index = 0; index < count; index++) {
    const isRefused = index % 8 === 7;
    const busy = errorReply(503, { message: 'overloaded \u001b[31m请稍后再试' });
    upstream.answer(
      ...(isRefused
        ? [errorReply(400, { message: 'bad request' })]
        : index % 5 === 2
          ? [busy, chatReply()]
          : [chatReply()]),
    );
    await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: pick(models.slice(0, 5), index),
        messages: [{ role: 'user', content: 'hello' }],
        max_tokens: 9,
      }),
    }).then((reply) => reply.text());
  }
}
