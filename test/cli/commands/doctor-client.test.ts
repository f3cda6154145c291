/** `turnpike doctor client …` against a whole gateway with a scripted upstream. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readGatewayFile } from '../../../src/core/config/gateway-file.ts';
import type { Transport } from '../../../src/core/contract/client.ts';
import { layOutCall } from '../../../src/core/contract/client.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import {
  chatReply,
  chatStream,
  defaultUsage,
  errorReply,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../support/upstream.ts';
import { runCli } from '../run-cli.ts';

let gateway: TestGateway;
let upstream: TestUpstream;
let other: TestUpstream;
let channel = 0;
let transport: Transport;

beforeAll(async () => {
  [upstream, other, gateway] = await Promise.all([startUpstream(), startUpstream(), startTestGateway()]);
  // A vendor that speaks chat only: what the others send is translated.
  channel = await gateway.addChannel({ type: 42, baseUrl: upstream.url, models: 'gpt-4o' });
  await gateway.addChannel({ type: 1, baseUrl: other.url, models: 'gpt-4o', priority: 9 });
  const key = readGatewayFile(gateway.dataDir)?.key.reveal() ?? '';
  transport = async (call, input) => {
    const { method, path, body } = layOutCall(call, input);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'new-api-user': '1' };
    const reply = await fetch(gateway.url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    return { status: reply.status, body: (await reply.json()) as unknown };
  };
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([upstream.close(), other.close()]);
});

const toolCall = { id: 'call_1', type: 'function', function: { name: 'report_city', arguments: '{"city":"Paris"}' } };

beforeEach(() => {
  upstream.requests.length = 0;
  upstream.answer((response, request) => {
    if (request.json['stream'] === true) return chatStream(['o', 'k'])(response, request);
    if (request.json['tools'] === undefined) return chatReply('ok')(response, request);
    const message = { role: 'assistant', content: null, tool_calls: [toolCall] };
    const choices = [{ index: 0, message, finish_reason: 'tool_calls' }];
    sendJson(response, 200, { id: 'c', object: 'chat.completion', created: 1, model: 'gpt-4o', choices, usage: defaultUsage });
  });
});

interface Report {
  readonly results: readonly { readonly title: string; readonly ok: boolean; readonly error: string; readonly status: number }[];
  readonly cost?: number;
}
const check = (client: string, ...flags: readonly string[]) =>
  runCli(['doctor', 'client', client, '--model', 'gpt-4o', '--json', ...flags], { transport });

test.each(['claude-code', 'codex', 'gemini-cli', 'openai'])(
  '%s gets what it needs through the chosen channel',
  async (client) => {
    const run = await check(client, '--channel', String(channel));
    const { results, cost } = run.json<Report>();
    expect(results.map(({ title, ok, error }) => [title, ok, error])).toEqual([
      ['List of models', true, ''],
      ['Whole reply', true, ''],
      ['Streamed reply', true, ''],
      ['Tool call', true, ''],
    ]);
    expect([run.exitCode, upstream.requests.length, other.requests.length]).toEqual([0, 3, 0]);
    expect(cost).toBeGreaterThan(0);
    expect((await gateway.client.userTokens.list({})).items.filter(({ name }) => name === 'doctor client')).toEqual([]);
  },
);

test('the settings name the site, and no key', async () => {
  const run = await runCli(['doctor', 'client', 'codex', '--model', 'gpt-4o', '--settings-only'], { transport });
  expect(run.stdout).toContain(`base_url = "${gateway.url}/v1"`);
  expect(run.stdout).toContain('wire_api = "responses"');
  expect(upstream.requests).toEqual([]);
});

test('an upstream that fails, and one that ignores the tool, are named with the reason', async () => {
  upstream.answer((response, request) =>
    request.json['stream'] === true
      ? errorReply(400, { message: 'streams are not for you', type: 'invalid_request_error' })(response, request)
      : chatReply('ok')(response, request),
  );
  const run = await check('openai', '--channel', String(channel));
  const { results } = run.json<Report>();
  expect(run.exitCode).toBe(1);
  expect(results.map(({ ok }) => ok)).toEqual([true, true, false, false]);
  expect(results[2]).toMatchObject({ status: 400, error: expect.stringContaining('streams are not for you') });
  expect(results[3]?.error).toBe('The reply lacks what the client needs');
});

test('a key that is not valid fails every request, and is not deleted', async () => {
  const { results, cost } = (await check('claude-code', '--token', 'sk-nobody')).json<Report>();
  expect(results.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  expect(cost).toBeUndefined();
});
