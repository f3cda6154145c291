/** One request in full: who, when, the price ticket, the channels tried and why, how it ended. */
import type { Client } from '../../core/contract/client.ts';
import type { LogEntity } from '../../core/contract/entities.ts';
import { type LogOther, type RouteStep, readLogOther } from '../../core/contract/log-other.ts';
import { parseObject } from '../../core/kernel/json.ts';
import { type Counting, countingOf } from '../../core/pricing/counting.ts';
import { explainLog } from '../../core/pricing/explain.ts';
import type { Text } from '../base/text.ts';
import { fitLine, type Line, line, span, spread, widthOf } from '../kit/lines.ts';
import type { Tone } from '../kit/tones.ts';
import { type TicketText, ticketLines } from '../show/ticket.ts';
import { formatTime } from '../show/times.ts';
import { wordFor } from '../show/words.ts';
import type { Host } from './view.ts';

export type RouteExplanation = Awaited<ReturnType<Client['turnpike']['routeExplain']>>;

type Explained = RouteExplanation['tiers'][number]['channels'][number];

/** Room the route needs beside the ticket; with less it stands below. */
const routeMinimum = 30;
const gap = 3;

export function drawRequest(row: LogEntity, width: number, host: Host, explained: RouteExplanation | undefined): readonly Line[] {
  const other = readLogOther(row.other);
  const title = row.model_name === '' ? wordFor('logType', row.type, host.cells.language) : row.model_name;
  const who = [row.username, row.token_name, other.group || row.group].filter(Boolean).join(` ${host.glyphs.separator} `);
  const head = [
    spread(line(span(title, 'title'), `   ${who}`), line(timing(row, other, host)), width, host.glyphs),
    line(span(formatTime(row.created_at, host.cells.now), 'dim')),
    line(''),
  ];
  if (row.model_name === '') return [...head, line(row.content)];
  const ticket = drawTicket(row, other, host);
  const ticketWidth = Math.max(0, ...ticket.map(widthOf));
  const room = width - ticketWidth - gap;
  const routeWidth = room < routeMinimum ? width : room;
  const route = explained === undefined ? drawRoute(other, routeWidth, host) : drawExplanation(explained, routeWidth, host);
  const right = [...route, line(''), ...drawNotes(row, other, host)];
  if (room < routeMinimum) return [...head, ...ticket, line(''), ...right];
  return [...head, ...beside(ticket, right, ticketWidth + gap, host)];
}

function timing(row: LogEntity, other: LogOther, host: Host): string {
  const whole = `${row.use_time} s`;
  if (other.frt === undefined || other.frt < 0) return whole;
  return host.say(texts.timing, { whole, first: `${(other.frt / 1000).toFixed(2)} s` });
}

const ticketTones: Readonly<Record<TicketText['kind'], Tone>> = { line: 'plain', ratio: 'plain', tear: 'dim', total: 'money' };

function drawTicket(row: LogEntity, other: LogOther, host: Host): readonly Line[] {
  const { money, language } = host.cells;
  // A test costs nobody anything; its ticket shows what it would have cost.
  const quota = other.is_test === true ? (other.test_quota ?? row.quota) : row.quota;
  const ticket = explainLog({ ...row, quota, other: parseObject(row.other) ?? {} }, money.display.quotaPerUnit);
  if (ticket === undefined) return [line(span(money.cost(row.quota), 'money'))];
  const settings = { money, glyphs: host.glyphs, language, group: other.group || row.group };
  return ticketLines(ticket, settings).map(({ kind, text }) => line(span(text, ticketTones[kind])));
}

/** The channels that were tried, why each failed, and why the last one was chosen. */
function drawRoute(other: LogOther, width: number, host: Host): readonly Line[] {
  const steps = other.admin_info?.route ?? [];
  if (steps.length === 0) return [line(span(host.say(texts.noRoute), 'dim'))];
  const lines = steps.flatMap((step) => {
    const served = step.error === undefined;
    const mark = served ? span(host.glyphs.on, 'ok') : span(host.glyphs.failed, 'error');
    const left = step.status > 0 ? String(step.status) : (step.error ?? '');
    const why = served ? reasonText(step, host) : host.say(texts.left, { left, seconds: (step.ms / 1000).toFixed(1) });
    const first = spread(
      line(mark, ` #${step.channel} ${step.name}${step.key === undefined ? '' : host.say(texts.key, { key: step.key })}`),
      line(span(`  ${why}`, served ? 'plain' : 'warn')),
      width,
      host.glyphs,
    );
    return step.message === undefined ? [first] : [first, line(span(`  ${step.message}`, 'dim'))];
  });
  return [...lines, ...drawConsidered(steps, host)];
}

function reasonText(step: RouteStep, host: Host): string {
  if (step.reason !== 'priority' && step.reason !== 'weight') return host.say(reasons[step.reason]);
  return host.say(texts.drawn, { priority: step.priority, weight: step.weight });
}

/** Among whom the first one was chosen, and who was passed over. */
function drawConsidered(steps: readonly RouteStep[], host: Host): readonly Line[] {
  const { candidates = [], skipped = [] } = steps[0] ?? {};
  const chosen = candidates.map((id) => `#${id}`).join(' ');
  const passed = skipped.map(({ channel, reason }) => `#${channel} ${host.say(skipReasons[reason])}`).join(', ');
  return [
    ...(chosen === '' ? [] : [line(span(host.say(texts.candidates, { names: chosen }), 'dim'))]),
    ...(passed === '' ? [] : [line(span(host.say(texts.skipped, { names: passed }), 'dim'))]),
  ];
}

/** What the router would do with such a request now. */
function drawExplanation(explained: RouteExplanation, width: number, host: Host): readonly Line[] {
  const rows = explained.tiers.flatMap((tier) =>
    tier.channels.map((channel) => {
      const mark = channel.skipped === '' ? span(host.glyphs.on, 'ok') : span(host.glyphs.off, 'dim');
      const why =
        skippedText(channel, host) || host.say(texts.share, { priority: tier.priority, share: (100 * channel.share).toFixed(0) });
      return spread(
        line(mark, ` #${channel.id} ${channel.name}`),
        line(span(`  ${why}`, channel.skipped === '' ? 'plain' : 'warn')),
        width,
        host.glyphs,
      );
    }),
  );
  return [line(span(host.say(texts.now), 'dim')), ...(rows.length === 0 ? [line(span(host.say(texts.nobody), 'warn'))] : rows)];
}

function skippedText({ skipped }: Pick<Explained, 'skipped'>, host: Host): string {
  return skipped === 'breaker' || skipped === 'cool_down' ? host.say(skipReasons[skipped]) : skipped;
}

function drawNotes(row: LogEntity, other: LogOther, host: Host): readonly Line[] {
  const notes: Line[] = [];
  const note = (text: string, tone: Tone = 'dim') => notes.push(line(span(text, tone)));
  if (other.is_test === true) note(host.say(texts.test), 'info');
  note(host.say(countings[countingOf(row.model_name, other) ?? 'told']));
  if (other['ws'] === true) note(host.say(texts.realtime), 'info');
  if (other.ended === undefined) note(host.say(texts.complete));
  else note(host.say(texts[other.ended]), 'warn');
  if (other.upstream_model_name !== undefined) note(host.say(texts.mapped, { model: other.upstream_model_name }));
  if (other.debt !== undefined && other.debt > 0) note(host.say(texts.debt, { debt: host.cells.money.cost(other.debt) }), 'warn');
  if (other.admin_info?.small_hold === true) note(host.say(texts.smallHold));
  const path = [other.request_path, row.is_stream ? host.say(texts.stream) : '', other.reasoning_effort]
    .filter(Boolean)
    .join(', ');
  if (path !== '') note(path);
  if (row.content !== '') note(row.content);
  if (other.admin_info?.ip !== undefined) note(host.say(texts.from, { ip: other.admin_info.ip }));
  return notes;
}

function beside(left: readonly Line[], right: readonly Line[], leftWidth: number, host: Host): readonly Line[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [
    ...fitLine(left[index] ?? [], leftWidth, host.glyphs),
    ...(right[index] ?? []),
  ]);
}

const reasons: Readonly<Record<Exclude<RouteStep['reason'], 'priority' | 'weight'>, Text>> = {
  pinned: { en: 'pinned by the token', zh: '由令牌指定' },
  affinity: { en: 'same conversation', zh: '同一会话' },
  probe: { en: 'probe after failures', zh: '失败后试探' },
  next_key: { en: 'next key', zh: '换下一密钥' },
  last_resort: { en: 'no better one left', zh: '别无选择' },
};

const skipReasons: Readonly<Record<NonNullable<RouteStep['skipped']>[number]['reason'], Text>> = {
  breaker: { en: 'circuit open', zh: '熔断' },
  cool_down: { en: 'cooling down', zh: '限流' },
  capability: { en: 'unable', zh: '不支持' },
};

const countings: Readonly<Record<Counting | 'told', Text>> = {
  told: { en: 'settled by upstream usage', zh: '按上游用量结算' },
  text: { en: 'usage not told: counted by the gateway', zh: '上游没有返回用量，由网关计数' },
  images: { en: 'by number, size and quality of images', zh: '按图片张数、大小和品质' },
  characters: { en: 'by characters', zh: '按字符数' },
  seconds: { en: 'by length of the speech', zh: '按语音时长' },
};

const texts = {
  timing: { en: '{whole}, first {first}', zh: '{whole}，首字 {first}' },
  left: { en: '{left}, {seconds} s', zh: '{left}，{seconds} 秒' },
  drawn: { en: 'prio {priority}, w {weight}', zh: '优先级 {priority}，权重 {weight}' },
  key: { en: ', key {key}', zh: '，密钥 {key}' },
  skipped: { en: 'passed over: {names}', zh: '跳过：{names}' },
  noRoute: { en: 'The row keeps no route', zh: '该记录没有路由信息' },
  now: { en: 'Such a request would now try', zh: '同样的请求现在会依次尝试' },
  nobody: { en: 'No channel serves it', zh: '没有可用渠道' },
  share: { en: 'prio {priority}, first {share} %', zh: '优先级 {priority}，首选 {share} %' },
  test: { en: 'a channel test: nothing was charged', zh: '渠道测试：未扣费' },
  realtime: { en: 'a realtime connection', zh: '实时连接' },
  candidates: { en: 'chosen among {names}', zh: '候选 {names}' },
  complete: { en: 'client received all', zh: '客户端已完整接收' },
  client_gone: { en: 'the client left early', zh: '客户端提前断开' },
  upstream_cut: { en: 'the upstream cut the stream', zh: '上游中断了流' },
  idle_timeout: { en: 'the upstream fell silent', zh: '上游长时间无响应' },
  mapped: { en: 'sent as {model}', zh: '实际模型 {model}' },
  debt: { en: '{debt} of it became a debt', zh: '其中 {debt} 记为欠费' },
  smallHold: { en: 'admitted on a small hold', zh: '以小额预扣放行' },
  stream: { en: 'stream', zh: '流式' },
  from: { en: 'from {ip}', zh: '来自 {ip}' },
} as const;
