/**
 * `turnpike doctor client`: the settings of a client, and whether the site gives it what it needs.
 */
import { CallError } from '../../../core/contract/envelope.ts';
import { api } from '../../../core/contract/index.ts';
import type { Text } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import {
  type Command,
  type Context,
  command,
  failedWith,
  type Outcome,
} from '../../command/command.ts';
import { wrap } from '../../kit/lines.ts';
import type { Tone } from '../../kit/tones.ts';
import type { Output } from '../../show/output.ts';
import { type Column, printTable } from '../../show/table.ts';
import { type CheckKey, namedKey, withKey } from './check-key.ts';
import type { SettingsBlock } from './clients/client-check.ts';
import { agentClients, clientNames } from './clients/index.ts';
import { type Result, runChecks } from './conformance.ts';

/** What stands for a key that is not to be shown. */
const hiddenKey = 'sk-…';

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
  const model = test_model || (models.split(',')[0] ?? '');
  if (model === '') throw new UsageError(texts.noModel);
  return model;
}

const isLocal = (address: string) =>
  /^https?:\/\/(localhost|127\.|0\.0\.0\.0|\[::1?\])/.test(address);

/**
 * The address for the settings: the site's own, unless only this machine reaches that and the
 * command came by another one.
 */
async function siteAddress(context: Context): Promise<string> {
  const { base_url } = await context.call(api.overview.get, {});
  const { kind, address } = await context.connection();
  const site = (isLocal(base_url) && kind === 'remote' ? address : base_url).replace(/\/+$/, '');
  if (isLocal(site)) context.output.note(texts.local, { site }, 'warn');
  return site.replace('//0.0.0.0', '//127.0.0.1');
}

function keyToShow(context: Context, { key }: CheckKey): string {
  if (!context.values.on('show-key')) return hiddenKey;
  if (key === undefined) throw new UsageError(texts.noKey);
  return key;
}

function printSettings(output: Output, blocks: readonly SettingsBlock[]): void {
  for (const [index, { file, text }] of blocks.entries()) {
    if (index > 0) output.line('');
    output.line(output.paint('dim', `# ${file ?? output.localize(texts.shell)}`));
    output.line(text);
  }
}

async function runClient(context: Context): Promise<Outcome> {
  const { client: name = '' } = context.arguments;
  const client = agentClients[name];
  if (client === undefined) throw new UsageError(texts.noModel);
  const isDry = context.values.on('settings-only');
  const { kind, address } = await context.connection();
  // The folder is locked meanwhile: nothing can answer the requests.
  if (kind === 'direct' && !isDry)
    throw new CallError(
      context.output.localize(texts.stopped, { folder: address }),
      503,
      'gateway_unreachable',
    );
  const checkKey = await namedKey(context);
  const shown = keyToShow(context, checkKey);
  const model = await modelFor(context);
  const settings = client.settings({ site: await siteAddress(context), model, key: shown });
  if (!context.output.json) printSettings(context.output, settings);
  if (isDry) return { json: { client: name, model, settings } };
  const channel = context.values.integer('channel');
  const checks = client.checks(model);
  const results = await withKey(context, checkKey, (key) => {
    const headers = client.headers(channel === undefined ? key : `${key}-${channel}`);
    return runChecks(
      context,
      { site: address.replace(/\/+$/, ''), headers, model, channel },
      checks,
      (title, place) => context.output.progress(`${place}/${checks.length} ${title}`),
    );
  }).finally(() => context.output.progress(undefined));
  const all =
    checkKey.unusable === undefined
      ? results
      : [unusableToken(context, checkKey.unusable), ...results];
  const cost = all.reduce((sum, { quota = 0 }) => sum + quota, 0);
  const outcome: Outcome = {
    json: {
      client: name,
      model,
      ...(channel !== undefined && { channel }),
      settings,
      results: all,
      cost,
    },
    print: (output, view) =>
      printResults(output, { client: client.name, model, results: all, cost }, view),
  };
  return all.some(({ state }) => state === 'failed') ? failedWith(outcome) : outcome;
}

function unusableToken({ output }: Context, status: string): Result {
  const error = output.localize(texts.unusable, { status });
  const mend = output.localize(texts.unusableMend);
  return {
    id: 'token',
    title: output.localize(texts.token),
    state: 'failed',
    status: 0,
    milliseconds: 0,
    error,
    mend,
  };
}

const states: Readonly<Record<Result['state'], readonly [Text, Tone]>> = {
  ok: [{ en: 'ok', zh: '正常' }, 'ok'],
  warning: [{ en: 'warning', zh: '警告' }, 'warn'],
  failed: [{ en: 'failed', zh: '失败' }, 'error'],
  skipped: [{ en: 'skipped', zh: '跳过' }, 'dim'],
};

const columns: readonly Column<Result>[] = [
  {
    title: { en: 'result', zh: '结果' },
    value: ({ state }, { language }) => states[state][0][language],
    tone: ({ state }) => states[state][1],
  },
  { title: { en: 'check', zh: '检查' }, value: ({ title }) => title, narrow: 'elide' },
  {
    title: { en: 'time', zh: '用时' },
    value: ({ milliseconds }) =>
      milliseconds === 0 ? '' : `${(milliseconds / 1000).toFixed(1)} s`,
    align: 'right',
  },
  {
    title: { en: 'price', zh: '费用' },
    value: ({ quota }, { money }) => (quota === undefined ? '' : money.cost(quota)),
    align: 'right',
  },
];

interface Report {
  readonly client: string;
  readonly model: string;
  readonly results: readonly Result[];
  readonly cost: number;
}

/** Lines of explanations are at most this wide, also where the terminal is wider. */
const textWidth = 80;

async function printResults(
  output: Output,
  { client, model, results, cost }: Report,
  view: Parameters<NonNullable<Outcome['print']>>[1],
): Promise<void> {
  const shown = await view();
  output.line('');
  printTable(output, columns, results, shown);
  const width = Math.min(output.width, textWidth) - 2;
  for (const { title, state, error, mend } of results) {
    if (error === '' || state === 'skipped') continue;
    output.line('');
    for (const line of wrap(output.localize(texts.line, { title, error }), width + 2))
      output.line(output.paint(states[state][1], line.trimEnd()));
    if (mend !== '') for (const line of wrap(mend, width)) output.line(`  ${line}`.trimEnd());
  }
  const count = (state: Result['state']) =>
    results.filter((result) => result.state === state).length;
  const failed = count('failed');
  const warnings = count('warning');
  const params = { client, model, failed, warnings, cost: shown.money.cost(cost) };
  output.line('');
  const [sum, tone] =
    failed > 0
      ? ([texts.fails, 'error'] as const)
      : ([texts.works, warnings > 0 ? 'warn' : 'ok'] as const);
  output.note(sum, params, tone);
}

export const doctorClientCommand: Command = command({
  name: 'doctor client',
  summary: {
    en: 'Settings of a client, and whether the site gives it what it needs',
    zh: '某客户端的配置，以及本站能否满足其需要',
  },
  details: {
    en: "Prints environment variables and configuration files, then sends the client's own requests through the running gateway: lists, token counts, a streamed reply, a tool call and its result, and what else the client uses. Each check is shown with its time and its price, and with what to do if it fails; they are charged like any other request. A warning is something the client works without. Exit code 1 if a check failed, 6 if the gateway does not run. Without --token a key is made for the check and deleted afterwards.",
    zh: '输出环境变量与配置文件，然后通过运行中的网关发送该客户端自己的请求：列表、token 计数、流式回复、工具调用及其结果，以及该客户端用到的其他功能。每项检查显示用时与费用，失败时说明如何处理；请求照常计费。警告表示客户端没有该功能也能工作。有检查失败时退出码为 1，网关未运行时为 6。未给出 --token 时会为检查临时创建一个令牌，结束后删除。',
  },
  arguments: [
    { name: 'client', kind: 'text', choices: clientNames, summary: { en: 'Client', zh: '客户端' } },
  ],
  flags: [
    {
      name: 'token',
      kind: 'text',
      placeholder: 'ID',
      summary: {
        en: "Check as this token: an id, a key, or - for a key on standard input. Of another user's token group and models apply",
        zh: '以此令牌检查：编号、密钥，或用 - 从标准输入读取密钥。他人的令牌只取其分组与模型限制',
      },
    },
    {
      name: 'channel',
      kind: 'integer',
      min: 1,
      placeholder: 'ID',
      summary: {
        en: "Only through this channel, whatever the token's models; needs the key of an administrator",
        zh: '只使用此渠道，不受令牌的模型限制；需要管理员的令牌',
      },
    },
    {
      name: 'model',
      kind: 'text',
      placeholder: 'MODEL',
      summary: { en: 'Model; default: one of the channel', zh: '模型，默认取渠道的模型' },
    },
    {
      name: 'show-key',
      kind: 'switch',
      summary: {
        en: 'Print the key of --token in the settings',
        zh: '在配置中显示 --token 的密钥',
      },
    },
    { name: 'settings-only', kind: 'switch', summary: { en: 'Send nothing', zh: '不发送请求' } },
  ],
  run: runClient,
});

const texts = {
  noModel: {
    en: 'The channel has no model, or no channel is enabled: name a model with --model',
    zh: '该渠道没有模型，或没有启用的渠道：请用 --model 指定模型',
  },
  noKey: {
    en: '--show-key needs --token with a key or the id of your own token: nobody else can see a key',
    zh: '--show-key 需要用 --token 给出密钥或自己令牌的编号：他人的密钥无法查看',
  },
  shell: { en: 'Shell', zh: 'Shell' },
  local: {
    en: '{site} is only known on this machine: set the address that clients use with `turnpike options set ServerAddress https://…`',
    zh: '{site} 只能在本机访问：请用 `turnpike options set ServerAddress https://…` 设置客户端使用的地址',
  },
  stopped: {
    en: 'No gateway runs on {folder}. Start it with `turnpike serve`, or print the settings alone with --settings-only',
    zh: '{folder} 上没有运行中的网关。请用 `turnpike serve` 启动，或用 --settings-only 只输出配置',
  },
  token: { en: 'Token', zh: '令牌' },
  unusable: { en: 'the token is {status}', zh: '令牌状态：{status}' },
  unusableMend: {
    en: 'Change it with `turnpike tokens edit ID`, or make another one',
    zh: '请用 `turnpike tokens edit ID` 修改，或新建令牌',
  },
  line: { en: '{title}: {error}', zh: '{title}：{error}' },
  works: {
    en: '{client} works with {model}; warnings: {warnings}. Price of the check: {cost}',
    zh: '{client} 可以使用 {model}；警告：{warnings}。本次检查费用：{cost}',
  },
  fails: {
    en: '{client} does not work with {model}. Failed: {failed}, warnings: {warnings}. Price of the check: {cost}',
    zh: '{client} 无法使用 {model}。失败：{failed}，警告：{warnings}。本次检查费用：{cost}',
  },
} as const;
