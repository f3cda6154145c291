/**
 * `channels test` and `channels balance` with the real core and an HTTP upstream, in both
 * languages.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Transport } from '../../../src/core/contract/client.ts';
import { api } from '../../../src/core/contract/index.ts';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import {
  chatReply,
  errorReply,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../support/upstream.ts';
import { runCli } from '../run-cli.ts';

let upstream: TestUpstream;
beforeAll(async () => {
  upstream = await startUpstream();
});
afterAll(() => upstream.close());
beforeEach(() => {
  upstream.requests.length = 0;
  upstream.answer(chatReply());
});

async function openSite() {
  const { app, operator } = await createTestApp();
  const turnpike = (language: 'en' | 'zh', line: string) =>
    runCli(line.split(' '), {
      transport: createLocalTransport(app, undefined, language),
      environment: { LANG: language === 'en' ? 'en_US.UTF-8' : 'zh_CN.UTF-8' },
    });
  const add = async (name: string, fields: Record<string, unknown> = {}) => {
    const channel = {
      name,
      type: 1,
      key: 'k',
      models: 'gpt-4o',
      base_url: upstream.url,
      ...fields,
    };
    return (await operator.channel.create(channel)).ids[0] ?? 0;
  };
  return { app, add, turnpike };
}

describe('channels test', () => {
  test('tests one channel with a kind of request and a stream', async () => {
    const { add, turnpike } = await openSite();
    const id = await add('good');
    const run = await turnpike('en', `channels test ${id} --endpoint anthropic --stream --json`);
    expect([run.exitCode, run.json()]).toEqual([
      0,
      { id, name: 'good', success: true, message: '', time: expect.any(Number) },
    ]);
    expect(upstream.requests[0]?.json).toMatchObject({ stream: true });
    const odd = await turnpike('en', `channels test ${id} --endpoint telepathy`);
    expect(odd.exitCode).toBe(2);
  });

  test('a gateway that goes away is no failure of a channel, and what was tested is shown', async () => {
    const { app, add } = await openSite();
    for (const name of ['one', 'two', 'three']) await add(name);
    const local = createLocalTransport(app, undefined, 'en');
    let tests = 0;
    const transport: Transport = async (call, input) =>
      call === api.channel.test && ++tests === 2
        ? { status: 503, body: { success: false, message: 'stopping', code: 'shutting_down' } }
        : local(call, input);
    for (const json of [[], ['--json']]) {
      tests = 0;
      const run = await runCli(['channels', 'test', '--all', ...json], { transport });
      expect([run.exitCode, tests]).toEqual([6, 2]);
      expect(run.stderr).toContain('stopping');
      expect(run.stdout.match(/three/g)).toHaveLength(1);
      expect(run.stdout).not.toMatch(/one|two/);
    }
  });

  test.each([
    ['en', 'ok', 'failed', /^[\x20-\x7e]+$/],
    ['zh', '正常', '失败', /[\u4e00-\u9fff]/],
  ] as const)('all of them, in %s', async (language, ok, failed, words) => {
    const { add, turnpike } = await openSite();
    await add('good');
    await add('lost', { base_url: 'http://127.0.0.1:1' });
    await add('deaf', { type: 14, base_url: upstream.url, models: 'claude-sonnet-4-5' });
    upstream.answer((response, request) => {
      const answer =
        request.path === '/v1/messages' ? errorReply(401, { message: 'wrong key' }) : chatReply();
      return answer(response, request);
    });
    const run = await turnpike(language, 'channels test --all');
    expect(run.exitCode).toBe(1);
    const line = (name: string) => run.stdout.split('\n').find((text) => text.includes(name)) ?? '';
    expect(line('good')).toContain(ok);
    expect(line('lost')).toContain(failed);
    expect(line('deaf')).toContain('wrong key');
    expect((await turnpike(language, 'channels list')).stdout).toMatch(
      new RegExp(`deaf.*${failed}`),
    );
    expect((await turnpike(language, 'channels show 3')).stdout).toContain('wrong key');
    expect((await turnpike(language, 'channels show 1')).stdout).not.toContain(failed);
    const told = (await turnpike(language, 'channels test --all --json')).json<{
      items: { name: string; message: string }[];
    }>();
    expect(told.items.find(({ name }) => name === 'lost')?.message).toMatch(words);
  });
});

describe('channels balance', () => {
  test('shows one and all balances in the vendor’s currency', async () => {
    const { add, turnpike } = await openSite();
    upstream.answer((response, request) =>
      sendJson(
        response,
        200,
        request.path.startsWith('/user/balance')
          ? { balance_infos: [{ currency: 'CNY', total_balance: '12.5' }] }
          : { hard_limit_usd: 3, total_usage: 50, has_payment_method: false },
      ),
    );
    const id = await add('American');
    await add('Chinese', { type: 43, models: 'deepseek-chat' });
    const one = await turnpike('en', `channels balance ${id} --json`);
    expect([one.exitCode, one.json()]).toEqual([
      0,
      { id, name: 'American', success: true, message: '', balance: 2.5, currency: 'USD' },
    ]);
    const all = await turnpike('zh', 'channels balance --all');
    expect(all.exitCode).toBe(0);
    expect(all.stdout).toMatch(/American\s+正常\s+\$2\.50/);
    expect(all.stdout).toMatch(/Chinese\s+正常\s+¥12\.50/);
    expect((await turnpike('en', 'channels show 2')).stdout).toContain('¥12.50');
  });

  test.each([
    ['en', /This type of channel does not support balance queries/],
    ['zh', /该类型的渠道不支持查询余额/],
  ] as const)('a type without one says so in %s', async (language, words) => {
    const { add, turnpike } = await openSite();
    await add('Claude', { type: 14, models: 'claude-sonnet-4-5' });
    const run = await turnpike(language, 'channels balance --all');
    expect(run.exitCode).toBe(1);
    expect(run.stdout).toMatch(words);
  });
});
