/** A tiny request through one channel, by the same adapters as real ones (spec, relay 10; console-api 6.6). */
import type { ChannelTester, TestResult } from '../channels/channel-test.ts';
import { translate } from '../i18n/translate.ts';
import { nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { priceUsage } from '../pricing/cost.ts';
import { priceFields } from '../pricing/explain.ts';
import { findPrice, groupRatioFor } from '../pricing/find-price.ts';
import type { ChatRequest, ProviderError, Usage } from '../providers/canonical.ts';
import { ReplyFailure } from '../providers/kit/failure.ts';
import type { Call, UpstreamRequest } from '../providers/provider.ts';
import type { Storage } from '../storage/storage.ts';
import { createEffects } from '../upstream/account.ts';
import { buildCall, noClient, prepareChannel, splitList, type UpstreamChannel } from '../upstream/channel.ts';
import { logTypes } from '../vocabulary/log-types.ts';
import { isChannelFault } from './channel-fault.ts';
import { maskMessage } from './failure.ts';
import { readProviderFailure } from './job.ts';
import { mapModel } from './map-model.ts';
import type { RelayParts } from './parts.ts';

const untestable = new Set([2, 5, 36]);
const timeout = 60_000;
const maxReplyBytes = 4 * 1024 * 1024;

export function isEmbeddingModel(model: string, channelType: number): boolean {
  const name = model.toLowerCase();
  return name.includes('embed') || name.includes('bge-') || name.startsWith('m3e') || channelType === 44;
}

/** Output limits that let each family answer at all (spec, relay 10). */
function outputLimit(model: string): number | undefined {
  if (model.includes('thinking')) return model.includes('claude') ? undefined : 50;
  return model.includes('gemini') ? 300 : 16;
}

function testChat(model: string): ChatRequest {
  return {
    model,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    stream: false,
    maxOutputTokens: outputLimit(model.toLowerCase()),
    origin: 'openai-chat',
    extra: {},
  };
}

interface Probe {
  readonly request: UpstreamRequest;
  readonly usageOf: (body: unknown) => Usage | undefined;
}

function buildProbe(channel: UpstreamChannel, model: string, call: Call): Probe {
  const { chat, embedding } = channel.provider.operations;
  if (embedding !== undefined && (chat === undefined || isEmbeddingModel(model, channel.type))) {
    const request = embedding.encode({ model, input: ['hello world'], extra: {} }, call);
    return { request, usageOf: (body) => embedding.decode(body, call).usage };
  }
  if (chat === undefined) throw new AppError('channel_test_unsupported');
  return { request: chat.encode(testChat(model), call), usageOf: (body) => chat.decode(body, call).usage };
}

type Verdict = { readonly ok: true; readonly usage: Usage | undefined } | { readonly ok: false; readonly error: ProviderError };

export type ChannelTestParts = Pick<RelayParts, 'upstream' | 'clock' | 'policy' | 'logger'> & {
  readonly storage: Pick<Storage, 'channels' | 'logs'>;
};

async function probeChannel(parts: ChannelTestParts, channel: UpstreamChannel, model: string): Promise<Verdict> {
  const { upstream, clock, policy } = parts;
  const call = buildCall(channel, mapModel(model, channel.modelMapping), noClient, policy().provider, clock.now());
  const { request, usageOf } = buildProbe(channel, model, call);
  const effects = createEffects(upstream, clock, channel.proxy);
  const authorized =
    channel.provider.authorize === undefined ? request : await channel.provider.authorize(request, call, effects);
  const { body } = authorized;
  const reply = await upstream.collect(
    {
      method: authorized.method,
      url: authorized.url,
      headers: { ...authorized.headers, 'accept-encoding': 'identity' },
      body: body === undefined ? undefined : body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body),
      proxy: channel.proxy,
      firstByteTimeout: timeout,
      idleTimeout: timeout,
    },
    maxReplyBytes,
  );
  if (reply.status !== 200) return { ok: false, error: readProviderFailure(channel.provider, reply) };
  try {
    return { ok: true, usage: usageOf(JSON.parse(reply.bytes.toString('utf8').trim())) };
  } catch (error) {
    if (error instanceof ReplyFailure) return { ok: false, error: error.error };
    return { ok: false, error: { status: 502, message: 'the reply could not be read' } };
  }
}

export function createChannelTester(parts: ChannelTestParts): ChannelTester {
  const { storage, clock, policy } = parts;

  const writeLog = async (
    channel: UpstreamChannel,
    model: string,
    usage: Usage,
    milliseconds: number,
    caller: Parameters<ChannelTester>[2],
  ) => {
    const { prices, quotaPerUnit } = policy();
    // A model without a price is tested all the same; what it would have cost is told, nothing is charged.
    const price = findPrice(model, prices, { selfUse: true });
    const ratio = groupRatioFor(caller.group, caller.group, prices);
    const reckoned = price === undefined ? 0 : priceUsage(usage, price, ratio, quotaPerUnit).quota;
    const words = translate('zh', 'log.model_test', {});
    await storage.logs.insert({
      userId: caller.id,
      username: caller.username,
      createdAt: nowSeconds(clock),
      type: logTypes.consume,
      content: words,
      tokenName: words,
      modelName: model,
      promptTokens: usage.promptTokens ?? 0,
      completionTokens: usage.completionTokens ?? 0,
      useTime: Math.round(milliseconds / 1000),
      channelId: channel.id,
      group: caller.group,
      other: JSON.stringify({
        ...(price === undefined ? {} : priceFields(usage, price, ratio)),
        group: caller.group,
        is_test: true,
        test_quota: reckoned,
      }),
    });
  };

  return async (channelId, wanted, caller): Promise<TestResult> => {
    const record = await storage.channels.find(channelId);
    if (record === null) throw new AppError('not_found');
    const channel = prepareChannel(record);
    if (channel === undefined || untestable.has(record.type)) throw new AppError('channel_test_unsupported');
    const model = wanted || record.testModel || splitList(record.models)[0] || 'gpt-4o-mini';
    const startedAt = clock.now();
    try {
      const verdict = await probeChannel(parts, channel, model);
      const milliseconds = Math.round(clock.now() - startedAt);
      if (!verdict.ok) {
        const message = maskMessage(verdict.error.message ?? `status ${verdict.error.status}`);
        return {
          ok: false,
          message,
          milliseconds,
          disables: isChannelFault(verdict.error, channel.type, policy().disableKeywords),
        };
      }
      await writeLog(channel, model, verdict.usage ?? {}, milliseconds, caller);
      return { ok: true, message: '', milliseconds };
    } catch (error) {
      if (error instanceof AppError && error.code === 'channel_test_unsupported') throw error;
      const message = error instanceof AppError ? translate('zh', `error.${error.code}`, error.params) : String(error);
      return { ok: false, message: maskMessage(message), milliseconds: Math.round(clock.now() - startedAt), disables: false };
    }
  };
}
