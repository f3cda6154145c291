import type { RouteStep } from '../../core/contract/log-other.ts';
import { formatCount } from '../../core/pricing/format.ts';
import type { Text } from '../base/text.ts';
import type { Tone } from '../kit/tones.ts';
import type { Host } from './view.ts';

/** What the upstream of an attempt said of its reply (docs/rules/routing.md#route-record). */
export function replyFacts(
  {
    replied_model: model,
    other_model: isOther,
    upstream_id: id,
    dropped_thinking: dropped,
    cache_miss: reason,
    stated_cost: cost,
    hosted_tools: tools,
    reported_usage: usage,
    limits = [],
  }: RouteStep,
  host: Host,
): readonly (readonly [text: string, tone: Tone])[] {
  const facts: (readonly [string, Tone])[] = [];
  if (model !== undefined)
    facts.push(
      isOther
        ? [host.localize(texts.otherModel, { model }), 'warn']
        : [host.localize(texts.repliedModel, { model }), 'dim'],
    );
  if (dropped !== undefined)
    facts.push([host.localize(texts.dropped, { count: dropped.length }), 'dim']);
  if (reason !== undefined) facts.push([host.localize(texts.cacheMiss, { reason }), 'dim']);
  if (cost !== undefined)
    facts.push([
      host.localize(texts.statedCost, { cost: host.cells.money.cost(Math.round(cost)) }),
      'dim',
    ]);
  if (tools !== undefined)
    facts.push([
      host.localize(texts.hostedTools, {
        tools: tools.map(({ tool, count }) => `${tool} × ${formatCount(count)}`).join(', '),
      }),
      'dim',
    ]);
  if (usage !== undefined)
    facts.push([
      host.localize(texts.reportedUsage, {
        usage: usage.map((one) => JSON.stringify(one)).join(' '),
      }),
      'dim',
    ]);
  for (const { unit, limit, left, reset_ms } of limits)
    facts.push([
      host.localize(texts[unit], {
        left: formatCount(left),
        limit: formatCount(limit),
        seconds: formatCount(Math.ceil(reset_ms / 1000)),
      }),
      'dim',
    ]);
  if (id !== undefined) facts.push([host.localize(texts.upstreamId, { id }), 'dim']);
  return facts;
}

const texts = {
  repliedModel: { en: 'replied as {model}', zh: '回复的模型名为 {model}' },
  otherModel: { en: 'replied with another model: {model}', zh: '由其他模型回复：{model}' },
  dropped: {
    en: 'earlier thinking dropped by the vendor: {count}',
    zh: '厂商丢弃的先前思考：{count} 段',
  },
  cacheMiss: { en: 'not from the vendor’s cache: {reason}', zh: '未命中厂商缓存：{reason}' },
  statedCost: { en: 'cost stated by the vendor: {cost}', zh: '厂商给出的成本：{cost}' },
  hostedTools: { en: 'tools run by the vendor: {tools}', zh: '厂商执行的工具：{tools}' },
  reportedUsage: { en: 'usage reported by the vendor: {usage}', zh: '厂商返回的用量：{usage}' },
  requests: {
    en: 'the account may send {left} of {limit} requests, all again in {seconds} s',
    zh: '账号剩余请求数：{left} / {limit}，{seconds} 秒后恢复',
  },
  tokens: {
    en: 'the account may use {left} of {limit} tokens, all again in {seconds} s',
    zh: '账号剩余 token：{left} / {limit}，{seconds} 秒后恢复',
  },
  upstreamId: { en: 'id at the upstream: {id}', zh: '上游请求编号：{id}' },
} as const satisfies Record<string, Text>;
