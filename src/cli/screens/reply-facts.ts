import type { RouteStep } from '../../core/contract/log-other.ts';
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
  upstreamId: { en: 'id at the upstream: {id}', zh: '上游请求编号：{id}' },
} as const satisfies Record<string, Text>;
