// Covers src/cli/commands/pricing
/**
 * Command lines with the real core: the interface for scripts
 * (docs/rules/command-line.md#json-output).
 */
import { describe, expect, test, vi } from 'vitest';
import type { Transport } from '../../../src/core/contract/client.ts';
import { CallError } from '../../../src/core/contract/envelope.ts';
import { api } from '../../../src/core/contract/index.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp, testPassword } from '../../support/app.ts';
import { type RunOptions, runCli } from '../run-cli.ts';

async function openSite() {
  const { app, addUser, as, operator } = await createTestApp();
  const transport: Transport = createLocalTransport(app, undefined, 'en');
  const turnpike = (line: string, options: RunOptions = {}) =>
    runCli(line.split(' '), { transport, ...options });
  return { app, addUser, as, operator, transport, turnpike };
}

describe('JSON shapes', () => {
  test('a list is items and total, even if the API returns a bare array', async () => {
    const { turnpike } = await openSite();
    await turnpike('channels add --name one --type openai --key sk-1 --models gpt-5.1');
    const list = (await turnpike('channels list --json')).json<{
      items: { name: string; key: string; models: string }[];
      total: number;
    }>();
    expect(list.total).toBe(1);
    expect(list.items[0]).toMatchObject({ name: 'one', key: '', models: 'gpt-5.1' });
    expect((await turnpike('users list --json')).json()).toMatchObject({
      total: 1,
      items: [{ username: 'root' }],
    });
    expect((await turnpike('logs list --json')).json()).toMatchObject({
      items: expect.any(Array),
      total: expect.any(Number),
    });
  });

  test('logs list --type error shows failed requests with status and cause, and no cost', async () => {
    const { app, turnpike } = await openSite();
    const row = { userId: 1, createdAt: Math.floor(app.clock.now() / 1000), modelName: 'gpt-5.1' };
    const other = JSON.stringify({ status_code: 502 });
    await app.storage.logs.insertMany([
      { ...row, type: 5, content: 'overloaded', other },
      { ...row, type: 2, content: '' },
    ]);
    const { stdout } = await turnpike('logs list --type error --lang en');
    expect(stdout).toContain('502 overloaded');
    expect(stdout).not.toContain('$');
    expect((await turnpike('logs list --type error --json')).json()).toMatchObject({
      total: 1,
      items: [{ type: 5 }],
    });
  });

  test('an empty list says when the site is not set up yet', async () => {
    const { app } = await createTestApp({}, false);
    const transport = createLocalTransport(app, undefined, 'en');
    const { stderr } = await runCli(['users', 'list'], { transport });
    expect(stderr).toContain('Nothing found: this site is not set up yet (turnpike setup)');
    const { turnpike } = await openSite();
    expect((await turnpike('channels list')).stderr).toMatch(/Nothing found\n?$/);
  });

  test('logs export writes JSON lines with --json, or where the name of the file says so', async () => {
    const { app, turnpike } = await openSite();
    await app.storage.logs.insertMany([
      { userId: 1, createdAt: 1, type: 5, modelName: 'gpt-5.1', content: 'overloaded' },
    ]);
    expect(JSON.parse((await turnpike('logs export --json')).stdout)).toMatchObject({
      model_name: 'gpt-5.1',
    });
    expect((await turnpike('logs export - --json')).stdout).toMatch(/^\{.+\}\n$/);
    expect((await turnpike('logs export --json --format=csv')).stdout).toMatch(/^id,/);
    expect((await turnpike('logs export')).stdout).toMatch(/^id,/);
  });

  test('channels add prompts for no key if the type needs none', async () => {
    const { turnpike } = await openSite();
    const made = await turnpike('channels add --name local --type ollama --models llama3 --json');
    expect(made.json<{ ids: number[] }>().ids).toHaveLength(1);
  });

  test('channels add prints the ids, one for each line of the key', async () => {
    const { turnpike } = await openSite();
    const made = await turnpike(
      'channels add --name two --type 14 --key-stdin --models claude-sonnet-4-5 --json',
      {
        input: 'sk-ant-1\nsk-ant-2\n',
      },
    );
    expect(made.json<{ ids: number[] }>().ids).toHaveLength(2);
  });

  test('tokens add prints the key once; lists mask it', async () => {
    const { turnpike, addUser } = await openSite();
    await addUser('linxi');
    const made = (await turnpike('tokens add --name e2e --unlimited --user linxi --json')).json<{
      id: number;
      key: string;
    }>();
    expect(made.key).toMatch(/^sk-[A-Za-z0-9]{48}$/);
    expect(Object.keys(made).sort()).toEqual(['id', 'key']);
    const shown = await turnpike(`tokens show ${made.id} --json`);
    expect(shown.json()).toMatchObject({ username: 'linxi', unlimited_quota: true });
    expect(shown.stdout).not.toContain(made.key.slice(3));
  });

  test('a single entity is its object, a change prints the changed one', async () => {
    const { turnpike, addUser } = await openSite();
    const id = await addUser('linxi', { quota: 500 });
    expect((await turnpike(`users show ${id} --json`)).json()).toMatchObject({
      id,
      username: 'linxi',
      quota: 500,
    });
    expect((await turnpike(`users quota ${id} --add 250 --json`)).json()).toMatchObject({
      quota: 750,
    });
    expect((await turnpike(`users quota ${id} --set 100 --json`)).json()).toMatchObject({
      quota: 100,
    });
    expect((await turnpike(`users promote ${id} --json`)).json()).toMatchObject({ id, role: 10 });
    expect((await turnpike(`users edit ${id} --display-name 林溪 --json`)).json()).toMatchObject({
      display_name: '林溪',
      quota: 100,
    });
  });

  test('users are sorted, and exported as CSV, by the gateway', async () => {
    const { turnpike, addUser } = await openSite();
    await addUser('zoe', { quota: 5 });
    await addUser('Ann', { quota: 7 });
    const names = async (flags: string) =>
      (await turnpike(`users list ${flags} --json`))
        .json<{ items: { username: string }[] }>()
        .items.map(({ username }) => username);
    expect(await names('--sort name --ascending')).toEqual(['Ann', 'root', 'zoe']);
    expect(await names('--sort quota --quota-to 7')).toEqual(['Ann', 'zoe']);
    const { stdout } = await turnpike('users export --sort name --quota-to 7');
    const [head, ...rows] = stdout.trimEnd().split('\r\n');
    expect(head).toMatch(/^\uFEFFid,username,display_name,email,/);
    expect(rows.map((row) => row.split(',')[1])).toEqual(['zoe', 'Ann']);
    expect((await turnpike('users list --sort nothing')).stderr).toContain('quota');
  });

  test.each([
    [
      'budgets add --owner user --owner-id 1 --amount 5 --period day --time-zone Mars/Phobos',
      'The budget has an invalid value: --time-zone Mars/Phobos\nSee: turnpike help budgets add',
    ],
    [
      'ledger statement --month 2026-13',
      'Invalid parameter: --month 2026-13\nSee: turnpike help ledger statement',
    ],
    [
      'ledger statement --month 9998-12',
      /^Invalid parameter: --month 9998-12: must not be above \d{4}-\d\d\nSee: turnpike help ledger statement$/,
    ],
    [
      'logs usage --since 2026-11-02 --until 2026-11-01',
      /^Invalid parameter: --until 2026-11-01: must not be before the start of the range/,
    ],
    ['options oidc foo', /^Invalid parameter: well_known: must start with http/],
  ])('%s: what a call refuses is named as it was typed', async (line, expected) => {
    const { turnpike } = await openSite();
    const { exitCode, stderr } = await turnpike(line);
    expect(exitCode).toBe(2);
    if (typeof expected === 'string') expect(stderr.trim()).toBe(expected);
    else expect(stderr.trim()).toMatch(expected);
  });

  test.each(['users export', 'audit export -'])(
    '%s --json prints no CSV: it names a file',
    async (line) => {
      const { turnpike } = await openSite();
      const refused = await turnpike(`${line} --json`);
      expect([refused.exitCode, refused.stdout, refused.failure()]).toEqual([
        2,
        '',
        { code: 'usage', message: '--json needs a FILE here: what would be printed is CSV' },
      ]);
    },
  );

  test('a failure is an object on stderr with its code and exit code', async () => {
    const { turnpike } = await openSite();
    const missing = await turnpike('users show 99 --json');
    expect(missing).toMatchObject({ exitCode: 3, stdout: '' });
    expect(missing.failure()).toEqual({ code: 'not_found', message: expect.any(String) });
    const taken = await turnpike('users add --username root --password-stdin --json', {
      input: testPassword,
    });
    expect([taken.exitCode, taken.failure().code]).toEqual([5, 'username_taken']);
    const mistake = await turnpike('users show nobody --json');
    expect([mistake.exitCode, mistake.failure().code]).toEqual([2, 'usage']);
  });

  test('topups list and complete', async () => {
    const { app, transport, turnpike } = await openSite();
    const order = {
      userId: 1,
      amount: 1,
      moneyCents: 730,
      quota: toQuota(500_000),
      tradeNo: 'USR1NOabcdef1',
      topUpCode: '',
    };
    const kind = {
      status: 'pending',
      paymentMethod: 'alipay',
      goodsName: 'g',
      createTime: 1_700_000_000,
    } as const;
    await app.storage.topUps.insert({ ...order, ...kind });
    expect((await turnpike('topups list --status pending --json')).json()).toMatchObject({
      total: 1,
      items: [{ trade_no: order.tradeNo, money: 7.3, username: 'root' }],
    });
    expect((await turnpike('topups list --page 2 --json')).json()).toMatchObject({
      total: 1,
      items: [],
    });
    expect((await turnpike('topups list --since 2023-11-20 --json')).json()).toMatchObject({
      total: 0,
    });
    expect((await turnpike(`topups complete ${order.tradeNo} --yes --json`)).json()).toMatchObject({
      status: 'success',
    });
    expect((await turnpike('topups list')).stdout).toContain('7.30');
    const refund = `topups refund ${order.tradeNo} --yes --json`;
    const refused = await turnpike(refund);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('--noted')]);
    expect((await turnpike(`${refund} --noted --money 3.65`)).json()).toMatchObject({
      refunded: 3.65,
    });
    // The reply is lost: repeated as the note says, nothing is paid back twice.
    const losing: Transport = async (call, input) => {
      const reply = await transport(call, input);
      if (call === api.topUp.refund) throw new CallError('', 0, 'gateway_unreachable');
      return reply;
    };
    const lost = await turnpike(`${refund} --noted --money 1`, { transport: losing });
    expect([lost.exitCode, lost.stderr]).toEqual([6, expect.stringContaining('--refunded 3.65')]);
    const again = await turnpike(`${refund} --noted --money 1 --refunded 3.65`);
    expect(again.json()).toMatchObject({ refunded: 4.65 });
    expect((await turnpike(`${refund} --noted`)).json()).toMatchObject({ refunded: 7.3 });
    expect((await turnpike('ledger verify --json')).json()).toMatchObject({ ok: true });
  });

  test('options set saves a price below its cost only with --yes; channels losses is empty', async () => {
    const { turnpike, operator } = await openSite();
    const cost = '{"models":{"gpt-4o":{"input":3}}}';
    await operator.channel.create({ name: 'c', type: 1, key: 'k', models: 'gpt-4o', cost });
    const set = 'options set ModelRatio {"gpt-4o":1}';
    const refused = await turnpike(set);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    expect(refused.stderr).toContain('gpt-4o, input: the price $2.00 is below the cost $3.00');
    expect((await turnpike(`${set} --yes`)).exitCode).toBe(0);
    expect((await turnpike('channels losses --json')).json()).toEqual({ items: [], total: 0 });
    // A reset, too: the default of this model is $2.50.
    await turnpike('options set ModelRatio {"gpt-4o":9} --yes');
    const reset = await turnpike('options reset ModelRatio --yes --json');
    expect(reset.exitCode).toBe(0);
  });

  test('config apply saves a price below its cost only with --yes', async () => {
    const { turnpike, operator } = await openSite();
    const cost = '{"models":{"gpt-4o":{"input":3}}}';
    await operator.channel.create({ name: 'c', type: 1, key: 'k', models: 'gpt-4o', cost });
    const input = 'turnpike: 1\noptions: { ModelRatio: { gpt-4o: 1 } }\n';
    const refused = await turnpike('config apply -', { input });
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining('gpt-4o input: $2.00 < $3.00 (#1 c)'),
    ]);
    const ratios = async () =>
      (await operator.option.list()).find(({ key }) => key === 'ModelRatio')?.value ?? '';
    expect(JSON.parse(await ratios())).toMatchObject({ 'gpt-4o': 1.25 });
    expect((await turnpike('config apply - --yes', { input })).exitCode).toBe(0);
    expect(JSON.parse(await ratios())).toMatchObject({ 'gpt-4o': 1 });
  });

  test('prices sync shows what a source would change, and saves with --yes', async () => {
    const { turnpike, operator } = await openSite();
    await operator.channel.create({ name: 'c', type: 1, key: 'k', models: 'gpt-4o' });
    await operator.option.set({ key: 'ModelRatio', value: '{"gpt-4o":9}' });
    const shown = await turnpike('prices sync catalogue');
    expect(shown.stdout).toMatch(/gpt-4o\s+input\s+\$18\.00\s+\$2\.50/);
    expect(shown.stderr).toContain('Nothing was saved');
    const json = (await turnpike('prices sync catalogue --margin 2 --yes --json')).json<{
      models: { model: string }[];
    }>();
    expect(json.models.map(({ model }) => model)).toEqual(['gpt-4o']);
    const { data } = await operator.catalog.pricing({});
    expect(data[0]).toMatchObject({ model_name: 'gpt-4o', model_ratio: 2.5 });
  });

  test('prices sync --follow also takes models that have the price already', async () => {
    const { turnpike, operator, app } = await openSite();
    const models = 'gpt-4o,gpt-4o-mini';
    await operator.channel.create({ name: 'c', type: 1, key: 'k', models });
    const followed = () => Object.keys(app.site.options.get('price_sync.followed'));
    const stored = () => app.site.options.get('ModelRatio');
    const before = stored();
    await turnpike('prices sync catalogue --yes');
    expect(followed()).toEqual([]);
    const run = await turnpike('prices sync catalogue --models gpt-4o,nobody --follow --yes');
    expect([run.exitCode, followed()]).toEqual([0, ['gpt-4o']]);
    await operator.option.set({ key: 'ModelRatio', value: '{"gpt-4o":9,"gpt-4o-mini":0.075}' });
    await turnpike('prices sync catalogue --follow --yes');
    expect(followed().sort()).toEqual(['gpt-4o', 'gpt-4o-mini']);
    expect(stored()['gpt-4o']).toBe(before['gpt-4o']);
    expect((await turnpike('prices sync catalogue --follow --watch --yes')).exitCode).toBe(2);
    expect((await turnpike('prices sync catalogue --days 91')).exitCode).toBe(2);
    const source = { source: 'catalogue', follow: 'save' } as const;
    await expect(
      operator.priceSync.apply({ ...source, models: [{ model: 'nobody', version: '' }] }),
    ).rejects.toMatchObject({ code: 'price_source_changed' });
  });

  test('channels types lists type, slug, name, operations', async () => {
    const { turnpike } = await openSite();
    const types = (await turnpike('channels types --json')).json<{ items: object[] }>();
    expect(types.items).toContainEqual(
      expect.objectContaining({
        type: 1,
        slug: 'openai',
        name: 'OpenAI',
        operations: expect.arrayContaining(['chat']),
      }),
    );
  });
});

describe('options', () => {
  test('get, set from an argument and from stdin, reset', async () => {
    const { turnpike } = await openSite();
    expect((await turnpike('options set SystemName Tollgate')).exitCode).toBe(0);
    expect((await turnpike('options get SystemName')).stdout).toBe('Tollgate\n');
    await turnpike('options set Notice -', { input: 'first line\nsecond line\n' });
    expect((await turnpike('options get Notice --json')).json()).toEqual({
      key: 'Notice',
      value: 'first line\nsecond line',
    });
    await turnpike('options reset SystemName --yes');
    expect((await turnpike('options get SystemName')).stdout).toBe('New API\n');
  });

  test('a secret only shows whether it is set', async () => {
    const { turnpike } = await openSite();
    expect((await turnpike('options get SMTPToken')).stdout).toBe('not set\n');
    const set = await turnpike('options set SMTPToken -', { input: 'hunter2hunter2' });
    expect(set.stdout + set.stderr).not.toContain('hunter2');
    expect((await turnpike('options get SMTPToken --json')).json()).toEqual({
      key: 'SMTPToken',
      configured: true,
    });
    expect((await turnpike('options list --json')).stdout).not.toContain('hunter2');
  });

  test('an unknown key is not found, an invalid value is a usage error', async () => {
    const { turnpike } = await openSite();
    expect((await turnpike('options get Nope')).exitCode).toBe(3);
    expect((await turnpike('options set SMTPPort many')).exitCode).toBe(2);
  });
});

describe('money', () => {
  test('ledger verify checks the balances; drift is exit code 1 with the account', async () => {
    const { app, turnpike, addUser } = await openSite();
    await addUser('linxi', { quota: 500 });
    const sound = await turnpike('ledger verify --json');
    expect([sound.exitCode, sound.json<{ ok: boolean }>().ok]).toEqual([0, true]);
    const verify = {
      ok: false,
      users: 2,
      postings: 2,
      sum: 1,
      stale_holds: 0,
      chain: { linked: 2, earlier: 0, noted_at: null, breaks: [] },
      drifts: [{ account: 'user', id: 2, name: 'linxi', expected: 500, actual: 501, drift: 1 }],
    };
    const local = createLocalTransport(app, undefined, 'en');
    const transport: Transport = (call, input) =>
      call.path.endsWith('/verify')
        ? Promise.resolve({ status: 200, body: { success: true, data: verify } })
        : local(call, input);
    const drifted = await runCli(['ledger', 'verify'], { transport });
    expect(drifted.exitCode).toBe(1);
    expect(drifted.stdout).toContain('linxi');
  });

  test('pricing list says what each price buys', async () => {
    const { turnpike } = await openSite();
    await turnpike('options set ModelPrice {"film":0.1,"dall-e-3":0.04,"song":0.2}');
    await turnpike('options set VideoRatios {"fil*":{"1080P":2}}');
    const { items } = (await turnpike('pricing list --json')).json<{
      items: { model: string; per_call?: number; unit?: string }[];
    }>();
    const bought = items.flatMap(({ model, per_call, unit }) =>
      unit && ['dall-e-3', 'film', 'song', 'sora-2'].includes(model)
        ? [[model, per_call, unit]]
        : [],
    );
    expect(bought).toEqual([
      ['dall-e-3', 0.04, 'image'],
      ['film', 0.1, 'second'],
      ['song', 0.2, 'call'],
      // Has no price of the site: that of the list, by the second.
      ['sora-2', 0.1, 'second'],
    ]);
    expect((await turnpike('pricing list --search film')).stdout).toContain('0.10/second');
  });

  test('pricing list and explain know no price in a group that is none', async () => {
    const { turnpike } = await openSite();
    for (const line of ['pricing list', 'pricing explain --model gpt-4o --prompt 1']) {
      const reply = await turnpike(`${line} --group vpi`);
      expect([line, reply.stderr]).toEqual([line, 'The group vpi does not exist\n']);
      expect(reply.exitCode).not.toBe(0);
      expect((await turnpike(`${line} --group vip`)).exitCode).toBe(0);
    }
  });

  test('pricing list and explain have videos at half their ratio, where they have no price', async () => {
    const { turnpike } = await openSite();
    await turnpike('options set ModelPrice {}');
    await turnpike('options set ModelRatio {"wan2.5-t2v-preview":0.3}');
    const { items } = (await turnpike('pricing list --search wan2.5-t2v-preview --json')).json<{
      items: object[];
    }>();
    expect(items).toEqual([{ model: 'wan2.5-t2v-preview', per_call: 0.15, unit: 'call' }]);
    const explain = 'pricing explain --model wan2.5-t2v-preview --seconds 5 --json';
    expect((await turnpike(explain)).json<{ quota: number }>().quota).toBe(75_000);
  });

  test('a sum that was paid is nowhere shown as nothing', async () => {
    const { app, turnpike, addUser } = await openSite();
    const userId = await addUser('linxi', { quota: 1000 });
    const make = 'tokens add --name mine --user linxi --unlimited';
    const tokenId = (await turnpike(`${make} --json`)).json<{ id: number }>().id;
    await turnpike('channels add --name one --type openai --key sk-1 --models m');
    const [channel] = (await turnpike('channels list --json')).json<{ items: { id: number }[] }>()
      .items;
    const channelId = channel?.id ?? 0;
    const hold = await app.ledger.hold({ requestId: 'r', userId, tokenId, amount: toQuota(3) });
    await app.ledger.settle(hold, { amount: toQuota(3), channelId, log: null, rollup: null });
    await app.ledger.drain();
    for (const list of ['users list', 'tokens list --user linxi', 'channels list'])
      expect((await turnpike(list)).stdout, list).toContain('$0.000006');
  });

  test('pricing explain adds up to the charge', async () => {
    const { turnpike } = await openSite();
    await turnpike('options set ModelRatio {"m":1.5}');
    await turnpike('options set CompletionRatio {"m":5}');
    const ticket = (
      await turnpike('pricing explain --model m --prompt 1000 --completion 100 --json')
    ).json<{
      quota: number;
      steps: object[];
    }>();
    expect(ticket.quota).toBe(2250);
    expect(ticket.steps).toEqual([
      { step: 'line', kind: 'input', count: 1000, price: 3, per: 'million_tokens', amount: 0.003 },
      {
        step: 'line',
        kind: 'output',
        count: 100,
        price: 15,
        per: 'million_tokens',
        amount: 0.0015,
      },
      { step: 'group_ratio', group: 'default', ratio: 1, quota: 2250 },
      { step: 'rounding', raw: 2250, quota: 2250 },
    ]);
    await turnpike(
      'options set ModelPriceDetails {"m":{"steps":[{"above":100,"input":2,"output":1}],"factors":{"fast":3},"tools":{"web_search":0.01}}}',
    );
    const dear = 'pricing explain --model m --prompt 1000 --searches 2 --tier fast,other';
    // 1,000 × 1.5 × 2 × 3 + 2 × 5,000
    expect((await turnpike(`${dear} --json`)).json<{ quota: number }>().quota).toBe(19_000);
    const lines = (await turnpike(dear)).stdout.split('\n').map((line) => line.replace(/ +/g, ' '));
    expect(lines.slice(0, 5)).toEqual([
      'input 1,000 × $18.00/1M $0.018000',
      'web search 2 × $0.01 $0.020000',
      'long prompt > 100 × 2 / × 1',
      'tier fast × 3',
      'tier other no price',
    ]);
    await turnpike('options set ModelPriceDetails {}');
    const text = (await turnpike('pricing explain --model m --prompt 1000 --completion 100'))
      .stdout;
    expect(text).toContain('$0.004500');
    const video = 'pricing explain --model veo-3.1-fast-generate-001 --seconds 8 --resolution';
    expect(JSON.parse((await turnpike(`${video} 1080p --json`)).stdout)).toMatchObject({
      quota: 480_000,
      steps: [{ step: 'line', kind: 'second', count: 8, price: 0.12, per: 'second' }, {}, {}],
    });
    const listed = JSON.parse(
      (await turnpike('pricing list --search veo-3.1-fast-generate-001 --json')).stdout,
    );
    expect(listed.items[0]).toMatchObject({
      unit: 'second',
      per_call: 0.1,
      others: { second_720P: 0.1, second_1080P: 0.12, second_4K: 0.3 },
    });
    expect((await turnpike('pricing explain --model unpriced --prompt 1')).exitCode).toBe(4);
    expect((await turnpike('pricing explain --model m --prompt -1')).exitCode).toBe(2);
    const images =
      'pricing explain --model dall-e-3 --images 2 --size 1024x1792 --quality hd --json';
    expect((await turnpike(images)).json<{ quota: number }>().quota).toBe(2 * 3 * 0.04 * 500_000);
  });
});

describe('without a terminal', () => {
  test('a destructive command needs --yes and changes nothing without it', async () => {
    const { turnpike, addUser } = await openSite();
    const id = await addUser('linxi');
    const refused = await turnpike(`users delete ${id}`);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('--yes');
    expect((await turnpike(`users show ${id}`)).exitCode).toBe(0);
    expect((await turnpike(`users delete ${id} --yes --json`)).json()).toMatchObject({ id });
    expect((await turnpike(`users show ${id}`)).stdout).toContain('Deactivated');
    expect((await turnpike(`users enable ${id} --json`)).failure().code).toBe(
      'deactivated_cannot_be_enabled',
    );
    expect((await turnpike(`users delete ${id} --remove --yes --json`)).json()).toEqual({ id });
    expect((await turnpike(`users show ${id}`)).exitCode).toBe(3);
  });

  test.each([
    ['users add --username x', '--password-stdin'],
    ['channels add --name x --type openai --models m', '--key-stdin'],
    ['setup --username x', '--password-stdin'],
    ['setup', '--username'],
  ])('%s names the flag that gives what a prompt would ask', async (line, flag) => {
    const { turnpike } = await openSite();
    const run = await turnpike(line);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(flag);
  });

  test('users reset-factors removes what a user has lost, root’s too, and asks first', async () => {
    const { app, addUser, turnpike } = await openSite();
    const ann = await addUser('ann');
    for (const id of [1, ann]) {
      await app.storage.secondFactors.putTotp(id, new Secret('JBSWY3DPEHPK3PXP'), 1);
      const totp = await app.storage.secondFactors.findTotp(id);
      if (totp !== null) await app.storage.secondFactors.confirmTotp(totp, 1, 1);
      expect(await app.storage.secondFactors.has(id)).toBe(true);
      expect((await turnpike(`users reset-factors ${id}`)).exitCode).toBe(2);
      expect((await turnpike(`users reset-factors ${id} --yes --json`)).json()).toEqual({ id });
      expect(await app.storage.secondFactors.has(id)).toBe(false);
    }
    expect((await turnpike('users reset-factors 99 --yes')).exitCode).toBe(3);
  });

  test('secrets are also read from the environment', async () => {
    const { turnpike } = await openSite();
    const run = await turnpike('users add --username linxi --json', {
      environment: { TURNPIKE_PASSWORD: testPassword },
    });
    expect(run.json()).toEqual({ id: 2 });
  });

  test('a password in the environment is not given to a user who is edited', async () => {
    const { app, turnpike } = await openSite();
    const environment = { TURNPIKE_PASSWORD: testPassword };
    await turnpike('users add --username linxi', { environment });
    const before = await app.storage.users.find(2);
    const other = { environment: { TURNPIKE_PASSWORD: 'meant-for-root-1' } };
    expect((await turnpike('users edit 2 --display-name Lin', other)).exitCode).toBe(0);
    expect((await turnpike('users edit 2', other)).exitCode).toBe(2);
    const after = await app.storage.users.find(2);
    expect([after?.displayName, after?.passwordHash]).toEqual(['Lin', before?.passwordHash]);
  });

  test('the screens do not open', async () => {
    const run = await runCli(['tui']);
    expect(run.exitCode).toBe(2);
  });
});

test.each([
  ['--site-language zh', 'zh'],
  ['', 'en'],
])('setup %s without a prompt stores %s', async (flags, language) => {
  const { app } = await createTestApp({}, false);
  const line = `setup --username linxi --password-stdin ${flags}`.trim().split(' ');
  const run = await runCli(line, {
    transport: createLocalTransport(app, undefined, 'en'),
    input: testPassword,
  });
  expect(run.exitCode).toBe(0);
  expect(app.siteLanguage()).toBe(language);
});

describe('tables', () => {
  const long = `long-${'name-'.repeat(40)}end`;

  test('in a pipe are whole: nothing is cut', async () => {
    const { turnpike } = await openSite();
    const models = Array.from({ length: 40 }, (_, index) => `model-${index}`).join(',');
    await turnpike(`channels add --name ${long} --type openai --key sk-1 --models ${models}`);
    await turnpike(`options set Notice ${long}`);
    expect((await turnpike('channels list')).stdout).toContain(long);
    expect((await turnpike('options list --search Notice')).stdout).toContain(long);
    for (const line of ['channels list', 'channels show 1', 'options list', 'options list --all']) {
      expect((await turnpike(line)).stdout, line).not.toContain('…');
    }
  });

  test('on a terminal are as wide as the terminal', async () => {
    const { turnpike } = await openSite();
    await turnpike(`options set Notice ${long}`);
    const shown = (await turnpike('options list --search Notice', { columns: 80 })).stdout.split(
      '\n',
    );
    for (const line of shown) expect(line.length).toBeLessThanOrEqual(80);
    expect(shown.join('\n')).toContain('…');
  });

  test('show an expired token and an exhausted one as such, in the list and alone', async () => {
    const { turnpike } = await openSite();
    const soon = new Date(Date.now() + 60_000).toISOString();
    for (const fields of [
      `late --unlimited --expires ${soon}`,
      'empty --quota 0',
      'good --unlimited',
    ])
      expect((await turnpike(`tokens add --name ${fields}`)).exitCode).toBe(0);
    const lineOf = async (name: string) =>
      (await turnpike('tokens list')).stdout.split('\n').find((line) => line.includes(name)) ?? '';
    expect(await lineOf('empty')).toContain('Exhausted');
    expect(await lineOf('good')).toContain('Enabled');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
    expect(await lineOf('late')).toContain('Expired');
    expect((await turnpike('tokens show 1')).stdout).toMatch(/status +Expired/);
  });
});

describe('on a terminal', () => {
  test('the setup asks for the site language; its own language is the first choice', async () => {
    const { app } = await createTestApp({}, false);
    const person = { answers: ['linxi', testPassword] };
    const run = await runCli(['setup'], {
      transport: createLocalTransport(app, undefined, 'en'),
      person,
    });
    expect(run).toMatchObject({
      exitCode: 0,
      questions: [expect.any(String), expect.any(String), expect.stringMatching(/^Language/)],
    });
    expect(app.siteLanguage()).toBe('en');
  });

  test('deletion asks for confirmation; no cancels it', async () => {
    const { turnpike, addUser } = await openSite();
    const id = await addUser('linxi');
    const kept = await turnpike(`users delete ${id}`, { person: { agrees: false } });
    expect(kept).toMatchObject({
      exitCode: 1,
      questions: ['Delete user {id}? This cannot be undone.'],
    });
    expect((await turnpike(`users show ${id}`)).exitCode).toBe(0);
    expect((await turnpike(`users delete ${id}`, { person: { agrees: true } })).exitCode).toBe(0);
  });

  test('a missing password is prompted for', async () => {
    const { turnpike } = await openSite();
    const run = await turnpike('users add --username linxi', {
      person: { answers: [testPassword] },
    });
    expect([run.exitCode, run.questions]).toEqual([0, ['Password']]);
  });
});

describe('permissions', () => {
  test('a user who is not an administrator gets exit code 4', async () => {
    const { app, addUser } = await openSite();
    const id = await addUser('linxi');
    const user = await app.accounts.own.get(id);
    const actor = { id, username: user.username, role: user.role, group: user.group, ip: '' };
    const run = await runCli(['users', 'list', '--json'], {
      transport: createLocalTransport(app, actor, 'en'),
    });
    expect([run.exitCode, run.failure().code]).toEqual([4, 'forbidden']);
  });
});
