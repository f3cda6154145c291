/** Details of one request: user, time, price ticket, channels tried and why, and how it ended. */
import type { Client } from '../../core/contract/client.ts';
import type { LogEntity } from '../../core/contract/entities.ts';
import type { LogOther, RouteStep } from '../../core/contract/log-other.ts';
import { parseObject } from '../../core/kernel/json.ts';
import { type LogView, readLog } from '../../core/logs/log-view.ts';
import type { Counting } from '../../core/pricing/counting.ts';
import { explainLog } from '../../core/pricing/explain.ts';
import type { Text } from '../base/text.ts';
import { fitLine, type Line, line, span, spread, widthOf, wrap } from '../kit/lines.ts';
import type { Tone } from '../kit/tones.ts';
import { labelFor } from '../show/labels.ts';
import { skipReasonText } from '../show/skip-reason.ts';
import { type TicketText, ticketLines } from '../show/ticket.ts';
import { formatTime } from '../show/times.ts';
import { replyFacts } from './reply-facts.ts';
import type { Host } from './view.ts';

export type RouteExplanation = Awaited<ReturnType<Client['routes']['explain']>>;

/** Width the route needs beside the ticket; with less it is placed below. */
const routeMinimum = 30;
const gap = 3;

export function drawRequest(
  row: LogEntity,
  width: number,
  host: Host,
  explained: RouteExplanation | undefined,
): readonly Line[] {
  const log = readLog(row);
  const { other, group } = log;
  const title =
    row.model_name === '' ? labelFor('logType', row.type, host.cells.language) : row.model_name;
  const who = [row.username, row.token_name, group]
    .filter(Boolean)
    .join(` ${host.glyphs.separator} `);
  const head = [
    ...drawTitle(title, who, timing(log, host), width, host),
    line(span(formatTime(row.created_at, host.cells.now), 'dim')),
    line(''),
  ];
  if (row.model_name === '') return [...head, ...wrapped(row.content, width)];
  const ticket = log.isError ? drawFailure(log, host) : drawTicket(log, host);
  const ticketWidth = Math.max(0, ...ticket.map(widthOf));
  const room = width - ticketWidth - gap;
  const routeWidth = room < routeMinimum ? width : room;
  const route =
    explained === undefined
      ? drawRoute(other, routeWidth, host)
      : drawExplanation(explained, routeWidth, host);
  const right = [...route, line(''), ...drawNotes(log, routeWidth, host)];
  if (room < routeMinimum) return [...head, ...ticket, line(''), ...right];
  return [...head, ...beside(ticket, right, ticketWidth + gap, host)];
}

function wrapped(text: string, width: number, tone: Tone = 'plain', indent = ''): readonly Line[] {
  return wrap(text, width - indent.length).map((part) => line(span(indent + part, tone)));
}

/** Model, user and times on one line; on two or more if they are long. */
function drawTitle(
  title: string,
  who: string,
  time: string,
  width: number,
  host: Host,
): readonly Line[] {
  const short = line(span(title, 'title'), `   ${who}`);
  if (widthOf(short) + widthOf(line(time)) < width)
    return [spread(short, line(time), width, host.glyphs)];
  return [...wrapped(title, width, 'title'), ...wrapped(who, width), line(time)];
}

function timing({ secondsText, firstToken }: LogView, host: Host): string {
  const whole = `${secondsText} s`;
  if (firstToken === undefined) return whole;
  return host.localize(texts.timing, { whole, first: `${firstToken.toFixed(2)} s` });
}

const ticketTones: Readonly<Record<TicketText['kind'], Tone>> = {
  line: 'plain',
  ratio: 'plain',
  tear: 'dim',
  total: 'money',
};

function drawTicket({ entity: row, other, group }: LogView, host: Host): readonly Line[] {
  const { money, language } = host.cells;
  // Tests are free; their ticket shows what the request would have cost.
  const quota = other.is_test === true ? (other.test_quota ?? row.quota) : row.quota;
  const ticket = explainLog(
    { ...row, quota, other: parseObject(row.other) ?? {} },
    money.display.quotaPerUnit,
  );
  if (ticket === undefined) return [line(span(money.cost(row.quota), 'money'))];
  const settings = { money, glyphs: host.glyphs, language, group };
  return ticketLines(ticket, settings).map(({ kind, text }) => line(span(text, ticketTones[kind])));
}

/** The status and code of a failed request, in the place of the ticket. */
function drawFailure({ status, other }: LogView, host: Host): readonly Line[] {
  const code = [status, other.error_code]
    .filter((part) => part !== undefined)
    .join(` ${host.glyphs.separator} `);
  return [
    line(span(host.localize(texts.failed), 'error')),
    ...(code === '' ? [] : [line(span(code, 'dim'))]),
  ];
}

/** The channels that were tried, why each failed, and why the last one was chosen. */
function drawRoute(other: LogOther, width: number, host: Host): readonly Line[] {
  const steps = other.admin_info?.route ?? [];
  if (steps.length === 0) return [line(span(host.localize(texts.noRoute), 'dim'))];
  const lines = steps.flatMap((step) => {
    const served = step.error === undefined;
    const mark = served ? span(host.glyphs.on, 'ok') : span(host.glyphs.failed, 'error');
    const left = step.status > 0 ? String(step.status) : (step.error ?? '');
    const why = served
      ? reasonText(step, host)
      : host.localize(texts.left, { left, seconds: (step.ms / 1000).toFixed(1) });
    const first = spread(
      line(
        mark,
        ` #${step.channel} ${step.name}${step.key === undefined ? '' : host.localize(texts.key, { key: step.key })}`,
      ),
      line(span(`  ${why}`, served ? 'plain' : 'warn')),
      width,
      host.glyphs,
    );
    return [
      first,
      ...(step.message === undefined ? [] : wrapped(step.message, width, 'dim', '  ')),
      ...replyFacts(step, host).flatMap(([text, tone]) => wrapped(text, width, tone, '  ')),
    ];
  });
  return [...lines, ...drawConsidered(steps, width, host)];
}

function reasonText(step: RouteStep, host: Host): string {
  if (step.reason !== 'priority' && step.reason !== 'weight')
    return host.localize(reasons[step.reason]);
  return host.localize(texts.drawn, { priority: step.priority, weight: step.weight });
}

/** The candidates for the first attempt, and the skipped channels. */
function drawConsidered(steps: readonly RouteStep[], width: number, host: Host): readonly Line[] {
  const { candidates = [], skipped = [] } = steps[0] ?? {};
  const chosen = candidates.map((id) => `#${id}`).join(' ');
  const passed = skipped
    .map(({ channel, reason }) => `#${channel} ${skipReasonText(reason, host.cells.language)}`)
    .join(', ');
  return [
    ...(chosen === ''
      ? []
      : wrapped(host.localize(texts.candidates, { names: chosen }), width, 'dim')),
    ...(passed === ''
      ? []
      : wrapped(host.localize(texts.skipped, { names: passed }), width, 'dim')),
  ];
}

/** The channels that such a request would try now. */
function drawExplanation(explained: RouteExplanation, width: number, host: Host): readonly Line[] {
  const rows = explained.tiers.flatMap((tier) =>
    tier.channels.map((channel) => {
      const mark =
        channel.skipped === '' ? span(host.glyphs.on, 'ok') : span(host.glyphs.off, 'dim');
      const why =
        skipReasonText(channel.skipped, host.cells.language) ||
        host.localize(texts.share, {
          priority: tier.priority,
          share: (100 * channel.share).toFixed(0),
        });
      return spread(
        line(mark, ` #${channel.id} ${channel.name}`),
        line(span(`  ${why}`, channel.skipped === '' ? 'plain' : 'warn')),
        width,
        host.glyphs,
      );
    }),
  );
  return [
    ...wrapped(host.localize(texts.now), width, 'dim'),
    ...(rows.length === 0 ? [line(span(host.localize(texts.noChannel), 'warn'))] : rows),
  ];
}

function drawNotes(log: LogView, width: number, host: Host): readonly Line[] {
  const { entity: row, other, isError, counting, fixedPrice, marks } = log;
  const notes: Line[] = [];
  const note = (text: string, tone: Tone = 'dim') => notes.push(...wrapped(text, width, tone));
  if (marks.includes('test')) note(host.localize(texts.test), 'info');
  if (!isError) note(host.localize(countingTexts[fixedPrice ? 'fixed' : (counting ?? 'reported')]));
  if (marks.includes('realtime')) note(host.localize(texts.realtime), 'info');
  if (other.ended === undefined && !isError) note(host.localize(texts.complete));
  else if (other.ended !== undefined) note(host.localize(texts[other.ended]), 'warn');
  if (other.upstream_model_name !== undefined)
    note(host.localize(texts.mapped, { model: other.upstream_model_name }));
  if (other.debt !== undefined && other.debt > 0)
    note(host.localize(texts.debt, { debt: host.cells.money.cost(other.debt) }), 'warn');
  if (other.uncharged !== undefined && other.uncharged > 0)
    note(
      host.localize(texts.uncharged, { amount: host.cells.money.cost(other.uncharged) }),
      'warn',
    );
  const cost = other.admin_info?.below_cost;
  if (cost !== undefined)
    note(host.localize(texts.belowCost, { cost: host.cells.money.cost(Math.round(cost)) }), 'warn');
  if (other.admin_info?.small_hold === true) note(host.localize(texts.smallHold));
  const path = [
    other.request_path,
    row.is_stream ? host.localize(texts.stream) : '',
    other.reasoning_effort,
  ]
    .filter(Boolean)
    .join(', ');
  if (path !== '') note(path);
  if (row.content !== '') note(row.content, isError ? 'plain' : 'dim');
  if (other.admin_info?.ip !== undefined)
    note(host.localize(texts.from, { ip: other.admin_info.ip }));
  return notes;
}

function beside(
  left: readonly Line[],
  right: readonly Line[],
  leftWidth: number,
  host: Host,
): readonly Line[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [
    ...fitLine(left[index] ?? [], leftWidth, host.glyphs),
    ...(right[index] ?? []),
  ]);
}

const reasons: Readonly<Record<Exclude<RouteStep['reason'], 'priority' | 'weight'>, Text>> = {
  pinned: { en: 'set by the token', zh: '由令牌指定' },
  state: { en: 'keeps the previous response', zh: '保存着上一条响应' },
  affinity: { en: 'same conversation', zh: '同一会话' },
  probe: { en: 'trial after failures', zh: '失败后的试探' },
  next_key: { en: 'next key', zh: '换下一密钥' },
  last_resort: { en: 'no better channel available', zh: '没有更好的渠道' },
};

const countingTexts: Readonly<Record<Counting | 'fixed' | 'reported', Text>> = {
  fixed: { en: 'charged by the call', zh: '按次计费' },
  reported: { en: 'charged by upstream usage', zh: '按上游返回的用量结算' },
  text: { en: 'no usage reported: counted by the gateway', zh: '上游没有返回用量，由网关计数' },
  images: { en: 'charged by number, size and quality of images', zh: '按图片数量、大小和品质计费' },
  characters: { en: 'charged by characters', zh: '按字符数计费' },
  seconds: { en: 'charged by length of the audio', zh: '按音频时长计费' },
};

const texts = {
  timing: { en: '{whole}, first {first}', zh: '{whole}，首字 {first}' },
  left: { en: '{left}, {seconds} s', zh: '{left}，{seconds} 秒' },
  drawn: { en: 'prio {priority}, w {weight}', zh: '优先级 {priority}，权重 {weight}' },
  key: { en: ', key {key}', zh: '，密钥 {key}' },
  skipped: { en: 'skipped: {names}', zh: '跳过：{names}' },
  noRoute: { en: 'No route recorded', zh: '没有路由记录' },
  now: { en: 'Channels such a request would try now', zh: '同样的请求现在会依次尝试' },
  noChannel: { en: 'No channel available', zh: '没有可用渠道' },
  share: { en: 'prio {priority}, first {share} %', zh: '优先级 {priority}，首选 {share} %' },
  test: { en: 'channel test: not charged', zh: '渠道测试：未扣费' },
  realtime: { en: 'realtime connection', zh: '实时连接' },
  candidates: { en: 'candidates: {names}', zh: '候选：{names}' },
  complete: { en: 'the client received everything', zh: '客户端已完整接收' },
  client_gone: { en: 'the client disconnected early', zh: '客户端提前断开' },
  upstream_cut: { en: 'the upstream broke off the stream', zh: '上游中断了流' },
  gateway_stopped: { en: 'the gateway was stopped', zh: '网关停止运行' },
  idle_timeout: { en: 'the upstream stopped sending', zh: '上游长时间没有数据' },
  mapped: { en: 'upstream model {model}', zh: '上游模型 {model}' },
  failed: { en: 'The request failed', zh: '请求失败' },
  uncharged: {
    en: 'another {amount} was beyond the largest charge and not charged',
    zh: '另有 {amount} 超出单次扣费上限，未收取',
  },
  debt: { en: '{debt} of it is debt', zh: '其中欠费 {debt}' },
  belowCost: {
    en: 'sold below cost: the upstream charged {cost}',
    zh: '低于成本：上游收取 {cost}',
  },
  smallHold: { en: 'admitted with a small hold', zh: '以小额预扣放行' },
  stream: { en: 'stream', zh: '流式' },
  from: { en: 'from {ip}', zh: '来自 {ip}' },
} as const;
