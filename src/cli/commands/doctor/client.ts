/** `turnpike doctor client`: the settings of a client, and whether the site gives it what it needs. */
import { api } from '../../../core/contract/index.ts';
import { nowSeconds } from '../../../core/kernel/clock.ts';
import { isObject, parseObject } from '../../../core/kernel/json.ts';
import { UsageError } from '../../base/usage-error.ts';
import { type Command, type Context, command, failedWith } from '../../command/command.ts';
import { agentClients, clientNames, type Probe } from './agent-clients.ts';

/** Milliseconds for one request. */
const requestLimit = 120_000;
/** Seconds that the key of the check is valid, if it cannot be deleted. */
const keyLifetime = 900;

interface Result {
  readonly title: string;
  readonly ok: boolean;
  readonly status: number;
  readonly milliseconds: number;
  /** Why it failed; '' otherwise. */
  readonly error: string;
}

async function modelFor(context: Context): Promise<string> {
  const given = context.values.text('model');
  if (given !== undefined) return given;
  const channel = context.values.integer('channel');
  if (channel === undefined) {
    const [first] = await context.call(api.channel.enabledModels, {});
    if (first === undefined) throw new UsageError(texts.noModel);
    return first;
  }
  const { test_model, models } = await context.call(api.channel.get, { id: channel });
  return test_model || (models.split(',')[0] ?? '');
}

/** Runs the work with a key: the given one, or one that exists only for it and then tells what it cost. */
async function withKey<T>(
  context: Context,
  work: (key: string) => Promise<T>,
): Promise<{ readonly done: T; readonly cost?: number }> {
  const given = context.values.text('token');
  if (given !== undefined) return { done: await work(given) };
  const expired_time = nowSeconds(context.clock) + keyLifetime;
  const { id, key } = await context.call(api.userTokens.create, { name: 'doctor client', unlimited_quota: true, expired_time });
  try {
    const done = await work(key);
    return { done, cost: (await context.call(api.userTokens.get, { id })).used_quota };
  } finally {
    await context.call(api.userTokens.remove, { id });
  }
}

async function send(context: Context, site: string, headers: Record<string, string>, { path, body }: Probe) {
  const reply = await fetch(site + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...headers,
      'accept-language': context.output.language,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    signal: AbortSignal.any([context.stop(), AbortSignal.timeout(requestLimit)]),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: reply.status, text: await reply.text() };
}

async function examine(context: Context, site: string, headers: Record<string, string>, probe: Probe): Promise<Result> {
  const start = performance.now();
  const title = context.output.localize(probe.title);
  const ended = (ok: boolean, status: number, error: string): Result => ({
    ...{ title, ok, status, error, milliseconds: Math.round(performance.now() - start) },
  });
  try {
    const { status, text } = await send(context, site, headers, probe);
    const json = parseObject(text) ?? {};
    if (status !== 200) return ended(false, status, errorOf(json, text));
    const passed = probe.passes(text, json);
    return ended(passed, status, passed ? '' : context.output.localize(texts.unfit));
  } catch (error) {
    return ended(false, 0, error instanceof Error ? error.message : String(error));
  }
}

/** The message of an error body of any API. */
function errorOf({ error }: Record<string, unknown>, text: string): string {
  return (isObject(error) ? String(error['message'] ?? '') : '') || text.slice(0, 200);
}

export const doctorClientCommand: Command = command({
  name: 'doctor client',
  summary: {
    en: 'Settings of a client, and whether the site gives it what it needs',
    zh: '某客户端的配置，以及本站能否满足其需要',
  },
  details: {
    en: "Prints environment variables and configuration files, then sends the client's own requests through the running gateway: models, a whole and a streamed reply, a tool call. They are charged like any other. Without --token a key is made for the check and deleted afterwards.",
    zh: '输出环境变量与配置文件，然后通过运行中的网关发送该客户端的请求：模型列表、完整与流式回复、工具调用。照常计费。未给出 --token 时会为检查临时创建一个令牌，结束后删除。',
  },
  arguments: [{ name: 'client', kind: 'text', choices: clientNames, summary: { en: 'Client', zh: '客户端' } }],
  flags: [
    { name: 'token', kind: 'text', placeholder: 'KEY', summary: { en: 'Key to check with', zh: '用于检查的令牌密钥' } },
    {
      name: 'channel',
      kind: 'integer',
      min: 1,
      placeholder: 'ID',
      summary: { en: 'Only through this channel; needs the key of an administrator', zh: '只使用此渠道；需要管理员的令牌' },
    },
    {
      name: 'model',
      kind: 'text',
      placeholder: 'MODEL',
      summary: { en: 'Model; default: one of the channel', zh: '模型，默认取渠道的模型' },
    },
    { name: 'settings-only', kind: 'switch', summary: { en: 'Send nothing', zh: '不发送请求' } },
  ],
  async run(context) {
    const { client: name = '' } = context.arguments;
    const client = agentClients[name];
    if (client === undefined) throw new UsageError(texts.noModel);
    const model = await modelFor(context);
    const { base_url: site } = await context.call(api.overview.get, {});
    const settings = client.settings(site, model);
    if (!context.output.json) for (const line of settings) context.output.line(line);
    if (context.values.on('settings-only')) return { json: { client: name, model, settings } };
    const { address } = await context.connection();
    const target = /^https?:/.test(address) ? address.replace(/\/+$/, '') : site;
    const channel = context.values.integer('channel');
    const { done: results, cost } = await withKey(context, async (key) => {
      const pinned = channel === undefined ? key : `${key}-${channel}`;
      const found: Result[] = [];
      for (const probe of client.probes(model)) found.push(await examine(context, target, client.headers(pinned), probe));
      return found;
    });
    const outcome = {
      json: { client: name, model, settings, results, ...(cost !== undefined && { cost }) },
      async print(output: Context['output'], view: Parameters<NonNullable<Awaited<ReturnType<Command['run']>>['print']>>[1]) {
        output.line('');
        for (const { title, ok, status, milliseconds, error } of results) {
          const line = `${ok ? 'ok     ' : 'failed '}  ${title}  ${(milliseconds / 1000).toFixed(1)} s`;
          output.line(output.paint(ok ? 'ok' : 'error', ok ? line : `${line}  ${status === 0 ? '' : `${status} `}${error}`));
        }
        if (cost !== undefined) output.note(texts.cost, { cost: (await view()).money.total(cost) });
      },
    };
    return results.every(({ ok }) => ok) ? outcome : failedWith(outcome);
  },
});

const texts = {
  noModel: { en: 'No enabled channel has a model: name one with --model', zh: '没有启用的渠道提供模型：请用 --model 指定' },
  unfit: { en: 'The reply lacks what the client needs', zh: '回复缺少该客户端需要的内容' },
  cost: { en: 'Cost of the check: {cost}', zh: '本次检查费用：{cost}' },
} as const;
