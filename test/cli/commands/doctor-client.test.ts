// Covers src/cli/commands/doctor/clients.
/**
 * `turnpike doctor client …` against a whole gateway, over upstreams of each client's own wire that
 * work and that break one feature.
 */
import stringWidth from 'string-width';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readGatewayFile } from '../../../src/core/config/gateway-file.ts';
import { layOutCall, type Transport } from '../../../src/core/contract/client.ts';
import type { Turn } from '../../agents/script.ts';
import { stream, type WireName } from '../../agents/wire.ts';
import { wires } from '../../agents/wires.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import {
  type ReceivedRequest,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../support/upstream.ts';
import { type RunOptions, runCli } from '../run-cli.ts';

/** What an upstream does wrong. */
interface Fault {
  /** Changes what it says. */
  readonly turn?: (turn: Turn) => Turn;
  /** Changes the events of its streams. */
  readonly body?: (body: string) => string;
  /** The status and message with which it refuses a request. */
  readonly refuse?: (
    request: ReceivedRequest,
    results: number,
  ) => readonly [number, string] | undefined;
}

/** Each wire with the type of its channel, and the client whose own it is. */
const own = [
  { wire: 'messages', type: 14, client: 'claude-code' },
  { wire: 'responses', type: 1, client: 'codex' },
  { wire: 'gemini', type: 24, client: 'gemini-cli' },
  { wire: 'chat', type: 1, client: 'openai' },
] as const satisfies readonly { wire: WireName; type: number; client: string }[];
const model = 'claude-sonnet-4-5';

let gateway: TestGateway;
let transport: Transport;
const upstreams = {} as Record<WireName, TestUpstream>;
const channels = {} as Record<WireName, number>;
let complaints: string[] = [];
let fault: Fault = {};

beforeAll(async () => {
  gateway = await startTestGateway();
  for (const { wire, type } of own) {
    upstreams[wire] = await startUpstream();
    const setting =
      wires[wire].setting === undefined ? {} : { setting: JSON.stringify(wires[wire].setting) };
    const fields = {
      type,
      baseUrl: upstreams[wire].url,
      models: model,
      key: 'upstream-key',
      ...setting,
    };
    channels[wire] = await gateway.addChannel(fields);
  }
  const key = readGatewayFile(gateway.dataDir)?.key.reveal() ?? '';
  transport = async (call, input) => {
    const { method, path, body } = layOutCall(call, input);
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'new-api-user': '1',
    };
    const reply = await fetch(gateway.url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: reply.status, body: (await reply.json()) as unknown };
  };
});
afterAll(async () => {
  await gateway.close();
  await Promise.all(Object.values(upstreams).map((upstream) => upstream.close()));
});

const tokens = { fresh: 100, cached: 0, written: 0, output: 20, reasoning: 0 };

beforeEach(() => {
  complaints = [];
  fault = {};
  for (const { wire: name } of own) {
    const wire = wires[name];
    upstreams[name].requests.length = 0;
    upstreams[name].answer(async (response, request) => {
      if (/count_?tokens/i.test(request.path))
        return sendJson(response, 200, { input_tokens: 7, totalTokens: 7 });
      const { tools, results, faults } = wire.read(request, true);
      complaints.push(...faults);
      const refusal = fault.refuse?.(request, results.length);
      if (refusal !== undefined)
        return sendJson(response, refusal[0], {
          error: { message: refusal[1], type: 'invalid_request_error' },
        });
      const [tool] = results.length > 0 ? [] : tools;
      const input = tool === 'submit_text' ? 'hello' : { city: 'Paris' };
      const text = /OBJECT|json_schema|responseJsonSchema/.test(request.text)
        ? '{"city":"Paris"}'
        : 'ok';
      const calls = tool === undefined ? [] : [{ id: 'call_1', tool, input }];
      const said: Turn = { number: 1, text: tool === undefined ? text : '', calls, tokens };
      const turn = fault.turn?.(said) ?? said;
      const streams =
        wire.streams?.(request) ??
        (request.json['stream'] === true || request.path.includes(':stream'));
      if (!streams) return sendJson(response, 200, wire.writeWhole(turn, request));
      const body = wire.write(turn, request);
      await stream(response, fault.body?.(body) ?? body);
    });
  }
});

interface Report {
  readonly results: readonly {
    readonly id: string;
    readonly state: string;
    readonly error: string;
    readonly mend: string;
    readonly quota?: number;
    readonly milliseconds: number;
  }[];
  readonly cost: number;
  readonly settings: readonly { readonly file?: string; readonly text: string }[];
}
const run = (client: string, flags: readonly string[], options: RunOptions = {}) =>
  runCli(['doctor', 'client', client, '--model', model, ...flags], {
    transport,
    gateway: gateway.url,
    ...options,
  });
const check = async (client: string, channel: WireName, ...flags: readonly string[]) => {
  const done = await run(client, ['--channel', String(channels[channel]), '--json', ...flags]);
  return { ...done, ...done.json<Report>() };
};
const statesOf = ({ results }: Report) =>
  Object.fromEntries(results.map(({ id, state }) => [id, state]));

const all: Readonly<Record<string, readonly string[]>> = {
  'claude-code': ['models', 'count', 'stream', 'tool', 'result', 'thinking', 'whole'],
  codex: ['models', 'stream', 'tool', 'result', 'custom', 'socket'],
  'gemini-cli': ['stream', 'tool', 'result', 'json', 'count'],
  openai: ['models', 'whole', 'stream', 'tool', 'result'],
};

test.each(own)(
  '$client gets what it needs over its own wire, with the time and price of each check',
  async ({ client, wire }) => {
    const report = await check(client, wire);
    expect(report.results.filter(({ state }) => state !== 'ok')).toEqual([]);
    expect([report.exitCode, report.results.map(({ id }) => id), complaints]).toEqual([
      0,
      all[client],
      [],
    ]);
    for (const { id, quota, milliseconds } of report.results) {
      const isFree = ['models', 'count', 'socket'].includes(id);
      expect([id, (quota ?? 0) > 0, milliseconds > 0]).toEqual([id, !isFree, true]);
    }
    expect(report.cost).toBe(report.results.reduce((sum, { quota = 0 }) => sum + quota, 0));
    for (const other of own)
      expect(upstreams[other.wire].requests.length > 0).toBe(other.wire === wire);
    expect(
      (await gateway.client.userTokens.list({})).items.filter(
        ({ name }) => name === 'doctor client',
      ),
    ).toEqual([]);
  },
);

test.each(own.filter(({ wire }) => wire !== 'chat'))(
  '$client gets what it needs over chat completions, too',
  async ({ client }) => {
    const report = await check(client, 'chat');
    expect(report.results.filter(({ state }) => state === 'failed')).toEqual([]);
  },
);

const faults: readonly [
  what: string,
  fault: Fault,
  expected: Readonly<Record<string, string>>,
  words: string,
][] = [
  [
    'does not call tools',
    { turn: (turn) => ({ ...turn, text: 'no', calls: [] }) },
    { tool: 'failed', result: 'skipped' },
    'the model did not call the tool',
  ],
  [
    'calls the tool with other arguments',
    {
      turn: (turn) => ({
        ...turn,
        calls: turn.calls.map((call) => ({ ...call, input: { town: 1 } })),
      }),
    },
    { tool: 'failed' },
    'the arguments of the tool call are not what its schema says',
  ],
  [
    'refuses the results of tools',
    { refuse: (_, results) => (results > 0 ? [400, 'no results, please'] : undefined) },
    { result: 'failed' },
    'no results, please',
  ],
  [
    'cuts its streams',
    { body: (body) => body.slice(0, body.length / 2).replace(/[^\n]*$/, '') },
    { stream: 'failed', tool: 'failed' },
    '',
  ],
  [
    'refuses everything',
    { refuse: () => [400, 'not today'] },
    { stream: 'failed', tool: 'failed', result: 'skipped' },
    'not today',
  ],
];
const cases = own.flatMap(({ client, wire }) =>
  faults.map(([what, broken, expected, words]) => ({
    client,
    wire,
    what,
    broken,
    expected,
    words,
  })),
);

test.each(cases)(
  '$client: an upstream that $what',
  async ({ client, wire, broken, expected, words }) => {
    fault = broken;
    const report = await check(client, wire);
    expect(report.exitCode).toBe(1);
    expect(statesOf(report)).toMatchObject(expected);
    const failed = report.results.filter(({ state }) => state === 'failed');
    for (const { error, mend } of failed) expect([error !== '', mend !== '']).toEqual([true, true]);
    expect(failed.map(({ error }) => error).join('\n')).toContain(words);
  },
);

test('what the client works without is a warning', async () => {
  fault = {
    refuse: ({ json }) =>
      json['thinking'] === undefined ? undefined : [400, 'thinking is not supported'],
  };
  const report = await check('claude-code', 'messages');
  expect([report.exitCode, statesOf(report)['thinking']]).toEqual([0, 'warning']);
});

const onTerminal = async (language: 'en' | 'zh', flags: readonly string[] = []) => {
  const done = await run(
    'codex',
    ['--channel', String(channels.responses), '--lang', language, ...flags],
    { columns: 80 },
  );
  const shown = `${done.stdout}${done.stderr}`
    .replaceAll(gateway.url, 'http://127.0.0.1:3000')
    .replaceAll(/\d+\.\d s/g, '0.1 s');
  return { ...done, shown };
};

test.each(['en', 'zh'] as const)(
  'the report fits a terminal of 80 columns, in %s',
  async (language) => {
    fault = { refuse: (_, results) => (results > 0 ? [400, 'no results, please'] : undefined) };
    const { shown, stdout } = await onTerminal(language);
    expect(shown).toMatchSnapshot();
    const report = stdout.slice(stdout.indexOf('codex\n') + 6);
    for (const line of report.split('\n')) expect(stringWidth(line), line).toBeLessThanOrEqual(80);
  },
);

test('a stopped folder is refused before anything is printed; the settings alone need no gateway', async () => {
  const stopped = await runCli(['doctor', 'client', 'codex', '--model', model], { transport });
  expect([stopped.exitCode, stopped.stdout, stopped.stderr]).toEqual([
    6,
    '',
    expect.stringContaining('turnpike serve'),
  ]);
  const alone = await runCli(['doctor', 'client', 'codex', '--model', model, '--settings-only'], {
    transport,
  });
  expect([alone.exitCode, alone.stdout]).toEqual([
    0,
    expect.stringContaining(`base_url = "${gateway.url}/v1"`),
  ]);
  expect(upstreams.responses.requests).toEqual([]);
});

test('the settings are exports and files that can be copied, and have no key unless it is asked for', async () => {
  const { key, id } = await gateway.client.token.create({ name: 'mine', unlimited_quota: true });
  const settings = async (client: string, ...flags: readonly string[]) =>
    (
      await run(client, ['--settings-only', '--json', '--token', String(id), ...flags])
    ).json<Report>().settings;
  for (const client of Object.keys(all))
    expect(JSON.stringify(await settings(client))).not.toContain(key);
  const [shell, file] = await settings('claude-code', '--show-key');
  expect(shell?.text).toContain(
    `export ANTHROPIC_BASE_URL=${gateway.url}\nexport ANTHROPIC_AUTH_TOKEN=sk-${key.replace(/^sk-/, '')}\n`,
  );
  expect([file?.file, JSON.parse(file?.text ?? '')]).toEqual([
    '~/.claude/settings.json',
    { env: expect.objectContaining({ ANTHROPIC_BASE_URL: gateway.url, ANTHROPIC_MODEL: model }) },
  ]);
  expect((await settings('codex')).map((block) => block.file)).toEqual([
    '~/.codex/config.toml',
    undefined,
  ]);
  const [gemini] = await settings('gemini-cli');
  expect(JSON.parse(gemini?.text ?? '')).toEqual({
    security: { auth: { selectedType: 'gemini-api-key' } },
  });
  const nobody = await run('openai', ['--settings-only', '--show-key']);
  expect([nobody.exitCode, nobody.stderr]).toEqual([2, expect.stringContaining('--token')]);
});

test('--token: one’s own is used itself, of another user’s its limits apply, an unusable one fails', async () => {
  const mine = await gateway.client.token.create({ name: 'mine', unlimited_quota: true });
  const used = async (id: number) => (await gateway.client.userTokens.get({ id })).used_quota;
  expect((await check('openai', 'chat', '--token', String(mine.id))).exitCode).toBe(0);
  expect(await used(mine.id)).toBeGreaterThan(0);
  const limits = { model_limits_enabled: true, model_limits: 'another-model' };
  const { tokenId } = await gateway.addCustomer(1_000_000, limits);
  // A chosen channel would lift the limit.
  const limited = await run('openai', ['--token', String(tokenId), '--json']);
  const { results } = limited.json<Report>();
  expect([limited.exitCode, await used(tokenId)]).toEqual([1, 0]);
  expect(results.find(({ id }) => id === 'stream')?.error).toContain('403');
  await gateway.client.userTokens.update({ id: mine.id, status: 2 });
  const disabled = await check('openai', 'chat', '--token', String(mine.id));
  expect(disabled.results[0]).toMatchObject({ id: 'token', state: 'failed' });
  expect(disabled.results[1]).toMatchObject({
    state: 'warning',
    error: expect.stringContaining('401'),
  });
  expect((await run('openai', ['--token', '99999'])).exitCode).toBe(3);
});

test('a gateway that does not answer is named', async () => {
  const closed = await run('openai', ['--json'], { gateway: 'http://127.0.0.1:9' });
  expect(closed.exitCode).toBe(1);
  expect(closed.json<Report>().results[1]).toMatchObject({
    status: 0,
    mend: expect.stringContaining('http://127.0.0.1:9'),
  });
});
