/**
 * `turnpike config apply`: what a dry run finds, what two runs at once do, and how the plan is
 * shown.
 */
import { expect, test, vi } from 'vitest';
import type { Transport } from '../../../src/core/contract/client.ts';
import { api } from '../../../src/core/contract/index.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { type RunOptions, runCli } from '../run-cli.ts';

async function openSite() {
  const { app, operator } = await createTestApp();
  const transport = createLocalTransport(app, undefined, 'en');
  const config = (line: readonly string[], options: RunOptions = {}) =>
    runCli(['config', ...line], { transport, ...options });
  const applyText = (input: string, flags: readonly string[] = [], options: RunOptions = {}) =>
    config(['apply', '-', ...flags], { input: `turnpike: 1\n${input}`, ...options });
  return { app, operator, config, applyText };
}
/** What everything that `apply` writes looks like. */
async function stateOf({ operator }: Awaited<ReturnType<typeof openSite>>) {
  const channels = (await operator.channel.list({})).items;
  return {
    channels,
    options: await operator.option.list({ with_flags: true }),
    models: (await operator.modelSquare.manage({})).items,
  };
}

const wrong = `options:
  SystemName: Other
  RetryTims: 3
  RetryTimes: many
  GitHubOAuthEnabled: true
  SMTPToken: env:NO_MAIL
channels:
  Azure: { type: azure, key: env:K, models: [gpt-x] }
  Vendor:
    type: openai
    key: env:K
    models: [gpt-x, 4.10]
    weigth: 3
    base_url: not an address
    setting: { multi_key_mode: sometimes }
  Plan: { type: openai, key: env:NO_KEY, models: [gpt-x], model_mapping: { a: b, b: a } }
models:
  gpt-x: { icon: /x.png, type: chat, statuss: 1 }
`;

test('a dry run lists every problem with its place, as the real run does, and nothing is written', async () => {
  const site = await openSite();
  const before = await stateOf(site);
  const [dry, real] = [
    await site.applyText(wrong, ['--dry-run'], { environment: { K: 'sk-k' } }),
    await site.applyText(wrong, [], { environment: { K: 'sk-k' } }),
  ];
  expect([dry.exitCode, real.exitCode, real.stderr]).toEqual([2, 2, dry.stderr]);
  expect(dry.stdout).toBe('');
  const lines = dry.stderr.trim().split('\n');
  const missing = [
    'description',
    'publish_time',
    'tags',
    'manufacturer',
    'price_type',
    'context',
    'specification',
    'status',
  ];
  const startOf = (line: string) => line.split(': ')[0];
  expect(lines.map(startOf)).toEqual([
    '<stdin>:4:3 options.RetryTims',
    '<stdin>:5:3 options.RetryTimes',
    '<stdin>:6:3 options.GitHubOAuthEnabled',
    '<stdin>:7:3 options.SMTPToken',
    '<stdin>:9:3 channels.Azure',
    '<stdin>:13:21 channels.Vendor.models.1',
    '<stdin>:14:5 channels.Vendor.weigth',
    '<stdin>:15:5 channels.Vendor.base_url',
    '<stdin>:16:16 channels.Vendor.setting.multi_key_mode',
    '<stdin>:17:25 channels.Plan.key',
    '<stdin>:17:59 channels.Plan.model_mapping',
    ...missing.map((field) => `<stdin>:19:3 models.gpt-x.${field}`),
    '<stdin>:19:38 models.gpt-x.statuss',
    'Problems',
  ]);
  for (const words of [
    'did you mean RetryTimes?',
    'did you mean weight?',
    'did you mean status?',
    'env:NO_MAIL is not set',
    'write it in quotes',
  ])
    expect(dry.stderr).toContain(words);
  expect(await stateOf(site)).toEqual(before);
});

test('--json has the plan or the problems on stdout', async () => {
  const { applyText } = await openSite();
  const refused = await applyText('options: { RetryTims: 3 }\n', ['--json']);
  expect(refused.json()).toEqual({
    changes: [],
    problems: [
      {
        path: 'options.RetryTims',
        line: 2,
        column: 12,
        message: 'unknown name; did you mean RetryTimes?',
      },
    ],
    applied: false,
  });
  expect([refused.exitCode, refused.failure().code]).toEqual([2, 'config_invalid']);
  const planned = await applyText('options: { RetryTimes: 7 }\n', [
    '--json',
    '--dry-run',
    '--exit-code',
  ]);
  expect(planned.exitCode).toBe(1);
  expect(planned.json()).toEqual({
    changes: [
      {
        section: 'options',
        name: 'RetryTimes',
        action: 'change',
        lines: [{ path: '', from: '2', to: '7' }],
      },
    ],
    problems: [],
    applied: false,
  });
});

test('options that are needed and the ones that need them are set and reset together', async () => {
  const { applyText, operator } = await openSite();
  const both =
    'options: { GitHubClientId: id, GitHubClientSecret: env:S, GitHubOAuthEnabled: true }\n';
  expect((await applyText(both, [], { environment: { S: 'secret' } })).exitCode).toBe(0);
  const refused = await applyText(
    'options: { GitHubOAuthEnabled: true, GitHubClientId: id, GitHubClientSecret: secret:none }\n',
  );
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining('options.GitHubClientSecret'),
  ]);
  expect((await applyText('options: {}\n', ['--prune', '--yes'])).exitCode).toBe(0);
  const changed = (await operator.option.list({ with_flags: true })).filter(
    (row) => row.default !== undefined || row.configured,
  );
  expect(changed.filter(({ key }) => key.startsWith('GitHub'))).toEqual([]);
});

test('credentials in options that are no secrets leave the site by reference only', async () => {
  const { config, applyText, operator } = await openSite();
  const values = [
    { key: 'WorkerUrl', value: 'https://user:hidden-1@worker.example' },
    { key: 'sms.webhook_url', value: 'https://hooks.example/services/hidden-2' },
    { key: 'MessagePusherAddress', value: 'https://push.example/push/root?token=hidden-3' },
    {
      key: 'claude.model_headers_settings',
      value: '{"m":{"authorization":["hidden-4"],"x-title":["shown"]}}',
    },
    { key: 'EpayId', value: 'env:shown' },
  ];
  await operator.option.setMany({ values });
  const { stdout } = await config(['export']);
  expect(stdout).not.toContain('hidden');
  expect(stdout).toContain('EpayId: literal:env:shown');
  expect(stdout).toContain('- shown');
  expect((await applyText(stdout.replace('turnpike: 1\n', ''), ['--exit-code'])).exitCode).toBe(0);
  const changed = await applyText('options: { WorkerUrl: env:WORKER }\n', [], {
    environment: { WORKER: 'https://user:hidden-5@worker.example' },
  });
  expect([changed.exitCode, changed.stdout]).toEqual([
    0,
    '~ options.WorkerUrl\n    ~ (secret) → (secret)\n',
  ]);
  const named = await config(['export', '--references']);
  expect(named.stdout).toContain('WorkerUrl: env:WORKER_URL');
  expect(named.stderr).toContain('SMS_WEBHOOK_URL');
});

test('two runs at once: one applies, the other is refused or finds nothing to add', async () => {
  const { applyText, operator, app } = await openSite();
  const file = `channels:\n${Array.from({ length: 8 }, (_, n) => `  C${n}: { type: openai, key: env:K, models: [m] }\n`).join('')}`;
  const run = () => applyText(file, [], { environment: { K: 'sk-k' } });
  const codes = (await Promise.all([run(), run()])).map(({ exitCode }) => exitCode).sort();
  expect(codes).toEqual([0, 5]);
  expect((await operator.channel.list({})).total).toBe(8);
  expect(await app.cluster.leases.acquire('config-apply', 'another', 1000)).toBe(true);
  const busy = await applyText('options: { RetryTimes: 9 }\n');
  expect([busy.exitCode, busy.stderr]).toEqual([
    5,
    expect.stringContaining('Another configuration is being applied'),
  ]);
});

test('what changed between the comparison and the write is refused before anything is written', async () => {
  const { operator } = await openSite();
  const [id = 0] = (await operator.channel.create({ name: 'Main', type: 1, key: 'k', models: 'm' }))
    .ids;
  const changes = {
    options: [{ key: 'RetryTimes', value: '9' }],
    channels: [
      { name: 'Main', type: 1, key: 'k', models: 'm' },
      { id, name: 'Old name', priority: 3 },
    ],
  };
  const { problems, written } = await operator.siteConfig.apply(changes);
  expect([problems.map(({ label, code }) => [label, code]), written]).toEqual([
    [
      ['Main', 'config_changed_meanwhile'],
      ['Old name', 'config_changed_meanwhile'],
    ],
    0,
  ]);
  expect((await operator.option.list({})).find(({ key }) => key === 'RetryTimes')?.value).toBe('2');
});

test('what somebody else changes while the command asks is not taken back', async () => {
  const { app, operator } = await createTestApp();
  const local = createLocalTransport(app, undefined, 'en');
  const setting = (proxy: string) => JSON.stringify({ proxy });
  const ratiosWith = (ratio: number) => JSON.stringify({ default: 1, vip: 1, new: ratio });
  let round = 0;
  const [id = 0] = (await operator.channel.create({ name: 'Main', type: 1, key: 'k', models: 'm' }))
    .ids;
  const own = async () => [
    (await operator.option.list({})).find(({ key }) => key === 'GroupRatio')?.value,
    (await operator.channel.get({ id })).setting,
  ];
  await operator.option.set({ key: 'GroupRatio', value: '{"default":1,"vip":1}' });
  for (const [text, others] of [
    [
      'options: { GroupRatio: { vip: 0.5 } }\n',
      () => operator.option.set({ key: 'GroupRatio', value: ratiosWith(++round) }),
    ],
    [
      'channels: { Main: { setting: { force_format: true } } }\n',
      () => operator.channel.update({ id, setting: setting(`http://10.0.0.1:808${++round}`) }),
    ],
  ] as const) {
    const transport: Transport = async (call, input) => {
      if (call === api.siteConfig.apply && input['dry_run'] !== true) await others();
      return local(call, input);
    };
    const run = (through: Transport) =>
      runCli(['config', 'apply', '-', '--json'], {
        transport: through,
        input: `turnpike: 1\n${text}`,
      });
    const late = await run(transport);
    expect([late.exitCode, late.failure().code]).toEqual([5, 'config_stopped']);
    expect(late.json<{ written: number }>().written).toBe(0);
    const early: Transport = async (call, input) => {
      const reply = await local(call, input);
      if (call === api.option.list || call === api.channel.list) await others();
      return reply;
    };
    const seen = await run(early);
    expect([seen.exitCode, seen.failure().code]).toEqual([5, 'config_changed_meanwhile']);
    expect((await run(local)).exitCode).toBe(0);
  }
  const [ratios, channel] = await own();
  expect(JSON.parse(ratios ?? '')).toEqual({ default: 1, vip: 0.5, new: 2 });
  expect(JSON.parse(channel ?? '')).toEqual({ proxy: 'http://10.0.0.1:8084', force_format: true });
});

test('nor is what somebody else changes in a reset option, a model or a budget', async () => {
  const { app, operator } = await createTestApp();
  const local = createLocalTransport(app, undefined, 'en');
  let round = 0;
  const { id } = await operator.budgets.create({
    ...{ owner: 'group', owner_id: 'default', name: 'shared', amount: 100, period: 'day' },
  });
  await operator.modelSquare.add({
    ...{ model: 'gpt-4o', icon: '/icon/openai.svg', description: 'old', type: '文本', tags: ['a'] },
    ...{ manufacturer: 'OpenAI', price_type: 2, context: '128K', specification: ['x'] },
    ...{ publish_time: '2024-05-13', status: 1 },
  });
  await operator.option.set({ key: 'Footer', value: 'first' });
  for (const [text, others] of [
    ['options: {}\n', () => operator.option.set({ key: 'Footer', value: `theirs ${++round}` })],
    [
      'models: { gpt-4o: { description: new } }\n',
      () => operator.modelSquare.update({ model: 'gpt-4o', description: `theirs ${++round}` }),
    ],
    [
      'budgets: { shared: { owner: group, owner_id: default, amount: 50, period: day } }\n',
      () => operator.budgets.update({ id, amount: 200 + ++round }),
    ],
  ] as const) {
    const run = (through: Transport) =>
      runCli(['config', 'apply', '-', '--json', '--prune', '--yes'], {
        transport: through,
        input: `turnpike: 1\n${text}`,
      });
    const late = await run(async (call, input) => {
      if (call === api.siteConfig.apply && input['dry_run'] !== true) await others();
      return local(call, input);
    });
    expect([text, late.exitCode, late.failure().code]).toEqual([text, 5, 'config_stopped']);
    expect((await run(local)).exitCode).toBe(0);
  }
});

test('a failure while writing says how far it came, and the next run does the rest', async () => {
  const { applyText, operator, app } = await openSite();
  const file = `options: { RetryTimes: 9 }
channels:
${['A', 'B', 'C'].map((name) => `  ${name}: { type: openai, key: env:K, models: [m] }\n`).join('')}`;
  const run = (...flags: readonly string[]) =>
    applyText(file, flags, { environment: { K: 'sk-k' } });
  const { transaction } = app.storage;
  const failing = vi.spyOn(app.storage, 'transaction').mockImplementation((work) =>
    transaction((inside) => {
      const { insertMany } = inside.channels;
      vi.spyOn(inside.channels, 'insertMany').mockImplementation((rows) => {
        if (rows[0]?.name === 'B') return Promise.reject(new AppError('database_unavailable'));
        return insertMany(rows);
      });
      return work(inside);
    }),
  );
  const stopped = await run('--json');
  failing.mockRestore();
  expect([stopped.exitCode, stopped.json()]).toEqual([
    5,
    {
      changes: [],
      problems: [expect.objectContaining({ path: 'channels.B', line: 5 })],
      applied: false,
      written: 2,
    },
  ]);
  expect(stopped.failure()).toMatchObject({
    code: 'config_stopped',
    message: expect.stringContaining('2 of 4'),
  });
  expect((await operator.channel.list({})).items.map(({ name }) => name)).toEqual(['A']);
  const rest = await run();
  expect([rest.exitCode, rest.stderr]).toEqual([0, 'Added 2, changed 0, removed 0\n']);
  expect((await run('--exit-code')).exitCode).toBe(0);
});

test('what channels share stands once', async () => {
  const { applyText, operator } = await openSite();
  const file = `x-openai: &openai { type: openai, key: env:K, models: [m], tag: shared }
channels:
  A: { <<: *openai, priority: 1 }
  B: { <<: *openai, tagg: own }
`;
  const refused = await applyText(file, [], { environment: { K: 'sk-k' } });
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining('<stdin>:5:21 channels.B.tagg'),
  ]);
  expect(
    (await applyText(file.replace('tagg', 'tag'), [], { environment: { K: 'sk-k' } })).exitCode,
  ).toBe(0);
  const { items } = await operator.channel.list({});
  expect(items.map(({ name, tag, priority }) => [name, tag, priority]).sort()).toEqual([
    ['A', 'shared', 1],
    ['B', 'own', 0],
  ]);
});

test('the plan in Chinese, in colour and without', async () => {
  const { applyText } = await openSite();
  const file =
    'options: { RetryTimes: 4, SMTPToken: env:S }\nchannels: { 主渠道: { type: openai, key: env:S, models: [a, b] } }\n';
  const shown = (environment: NodeJS.ProcessEnv) =>
    applyText(file, ['--dry-run', '--lang', 'zh'], {
      environment: { S: 'hidden', ...environment },
    });
  const plain = await shown({});
  expect([plain.stdout, plain.stderr]).toEqual([
    [
      '~ options.RetryTimes',
      '    ~ 2 → 4',
      '~ options.SMTPToken',
      '    + （机密）',
      '+ channels.主渠道',
      '    + type: openai',
      '    + models: ["a","b"]',
      '    + key: （机密）',
      '',
    ].join('\n'),
    '将添加 1 项，修改 2 项，删除 0 项\n',
  ]);
  const coloured = await shown({ NO_COLOR: '', FORCE_COLOR: '1' });
  expect(coloured.stdout).toContain('\u001B[33m~ options.RetryTimes\u001B[39m');
});

test('objects are merged by entry: the built-in ratios stay, null removes one, --prune replaces', async () => {
  const { applyText, operator } = await openSite();
  const ratios = async () => {
    const rows = await operator.option.list({});
    return JSON.parse(rows.find(({ key }) => key === 'ModelRatio')?.value ?? '{}') as Record<
      string,
      number
    >;
  };
  const before = await ratios();
  const merged = await applyText(
    'options: { ModelRatio: { gpt-x: 1.5, gpt-4o: 2, gpt-4: null } }\n',
  );
  expect(merged.stdout).toBe(
    '~ options.ModelRatio\n    ~ gpt-4o: 1.25 → 2\n    - gpt-4: 15\n    + gpt-x: 1.5\n',
  );
  const { 'gpt-4': _, ...rest } = before;
  expect(await ratios()).toEqual({ ...rest, 'gpt-x': 1.5, 'gpt-4o': 2 });
  const channel = (setting: string) =>
    `channels: { Main: { type: openai, key: env:K, models: [m], setting: ${setting} } }\n`;
  const apply = (text: string, ...flags: readonly string[]) =>
    applyText(text, flags, { environment: { K: 'sk-k' } });
  await apply(channel('{ pass_through_body_enabled: true }'));
  expect((await apply(channel('{ proxy: http://p.example }'))).stdout).toBe(
    '~ channels.Main\n    + setting.proxy: http://p.example\n',
  );
  const replaced = await apply(
    `options: { ModelRatio: { gpt-x: 1.5 } }\n${channel('{ proxy: http://p.example }')}`,
    '--prune',
    '--yes',
  );
  expect([replaced.exitCode, await ratios()]).toEqual([0, { 'gpt-x': 1.5 }]);
  expect(replaced.stdout).toContain('more (--json has all)');
  expect(JSON.parse((await operator.channel.list({})).items[0]?.setting ?? '')).toEqual({
    proxy: 'http://p.example',
  });
});

test('a file that is no YAML is refused in the language of the command', async () => {
  const { applyText } = await openSite();
  const refused = await applyText('turnpike: 1\n', ['--lang', 'zh']);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('2:1: 键重复');
  expect((await applyText('x-a: *b\n', ['--lang', 'zh'])).stderr).toContain('别名（*）无效');
});
