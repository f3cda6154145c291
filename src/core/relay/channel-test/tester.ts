/**
 * A small request through one channel, carried like a caller's
 * (docs/rules/routing.md#channel-tests).
 */
import type { ProviderRegistry } from '../../canonical/registry.ts';
import type { ChannelTester, TestRequest, TestResult } from '../../channels/channel-test.ts';
import { type Language, translate } from '../../i18n/translate.ts';
import { nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { findPrice, groupRatioFor } from '../../pricing/find-price.ts';
import { unitFields } from '../../pricing/per-call.ts';
import { imageFields, otherModelFields, priceFields } from '../../pricing/price-fields.ts';
import type { Channel, Storage } from '../../storage/storage.ts';
import { splitList, type UpstreamChannel } from '../../upstream/channel.ts';
import { fingerprint } from '../../upstream/channel-keys.ts';
import { prepareChannel } from '../../upstream/prepare-channel.ts';
import { mapModel } from '../../upstream/rules/model-mapping.ts';
import { writeDisabledKeys } from '../../vocabulary/disabled-keys.ts';
import type { EndpointType } from '../../vocabulary/endpoint-types.ts';
import { logTypes } from '../../vocabulary/log-types.ts';
import type { Attempt, AttemptOutcome, AttemptResult } from '../attempt.ts';
import { isChannelFault, otherModelIn } from '../carry/channel-fault.ts';
import { tryChannel } from '../carry/try-channel.ts';
import { chargeUsage } from '../charge/charge.ts';
import type { RelayDeps } from '../context.ts';
import { asAppError, type Failure } from '../failure.ts';
import { createFileFetcher } from '../files/file-fetcher.ts';
import { canServe } from '../select/can-serve.ts';
import { openProbe, type ProbeJob, probeRoute } from './probe-job.ts';
import { endpointsFor, probes } from './probes.ts';

/** The model where the channel has none. */
const anyModel = 'gpt-4o-mini';

/**
 * The endpoint of the test: the requested one, or one that suits the model. Throws AppError
 * channel_test_unsupported.
 */
function chooseEndpoint(
  channel: UpstreamChannel,
  model: string,
  requested: EndpointType | undefined,
): EndpointType {
  const candidates = requested === undefined ? endpointsFor(model) : [requested];
  const chosen = candidates.find((endpoint) =>
    canServe(channel, probeRoute({ endpoint, model, stream: false }).kind.format),
  );
  if (chosen === undefined) throw new AppError('channel_test_unsupported');
  return chosen;
}

/** A channel with one of its keys, enabled or not. Throws AppError not_found. */
function keyOf(record: Channel, name: string, providers: ProviderRegistry): UpstreamChannel {
  const otherInfo = writeDisabledKeys(record.otherInfo, new Map());
  const all = prepareChannel({ ...record, otherInfo }, providers);
  const isOnly = all?.keys === undefined && fingerprint(all?.key.reveal() ?? '') === name;
  const found = isOnly ? all : all?.keys?.enabled.find(({ keyName }) => keyName === name);
  if (found === undefined) throw new AppError('not_found');
  return found;
}

/**
 * In the language of the person who tests. An upstream's message that could not be read is added
 * unchanged.
 */
function describe(failure: Failure, language: Language): string {
  if (failure.from === 'gateway')
    return translate(language, `error.${failure.error.code}`, failure.error.params);
  const { message, raw, status } = failure.error;
  if (message !== undefined) return message;
  const words = translate(language, 'error.bad_response_status_code', { status });
  return raw === undefined ? words : `${words}: ${raw}`;
}

export type TesterDeps = RelayDeps & {
  readonly storage: Pick<Storage, 'channels' | 'logs'>;
  readonly providers: ProviderRegistry;
};

export function createChannelTester(deps: TesterDeps): ChannelTester {
  const { storage, clock, policy } = deps;

  const carry = async (
    channel: UpstreamChannel,
    { job }: ProbeJob,
  ): Promise<{ readonly attempt: Attempt; readonly result: AttemptResult }> => {
    const upstreamModel = mapModel(job.model, channel.modelMapping);
    const attempt: Attempt = {
      channel,
      upstreamModel,
      startedAt: clock.now(),
      reason: 'pinned',
      earlier: [],
      reply: {},
    };
    const files = () =>
      createFileFetcher(deps.upstream, deps, {
        signal: job.client.signal(),
        claim: (bytes) => job.memory.takeBody(bytes),
      });
    return { attempt, result: await tryChannel(job, attempt, files) };
  };

  /**
   * Nothing is charged. The row shows what the test would have cost, where the model has a price.
   */
  const writeLog = async (
    probe: ProbeJob,
    outcome: AttemptOutcome,
    caller: TestRequest['caller'],
    milliseconds: number,
  ) => {
    const { prices, quotaPerUnit } = policy();
    const { model, stream, route } = probe.job;
    const ratio = groupRatioFor(caller.group, caller.group, prices);
    const price = findPrice(model, prices, { perSecond: false });
    const otherPrice = (other: string) => findPrice(other, prices);
    const pricing = { model, groupRatio: ratio, quotaPerUnit, measure: probe.measure, otherPrice };
    const used =
      price === undefined
        ? undefined
        : await chargeUsage(outcome, { ...pricing, price }, deps.counter, clock.now());
    const usage = used?.usage ?? outcome.usage ?? {};
    const words = translate(deps.siteLanguage(), 'log.model_test');
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
      isStream: stream,
      channelId: outcome.channel.id,
      group: caller.group,
      other: JSON.stringify({
        ...(used === undefined
          ? {}
          : {
              ...priceFields(used.usage, used.price, ratio),
              ...otherModelFields(used.others, ratio),
              ...(used.images && price && imageFields(model, used.images, price)),
              ...unitFields(used.charge.lines, quotaPerUnit),
            }),
        ...(outcome.upstreamModel === model
          ? {}
          : { is_model_mapped: true, upstream_model_name: outcome.upstreamModel }),
        ...(outcome.reasoningEffort === undefined
          ? {}
          : { reasoning_effort: outcome.reasoningEffort }),
        group: caller.group,
        request_path: route.path,
        is_test: true,
        test_quota: used?.charge.quota ?? 0,
      }),
    });
  };

  const judge = (
    { attempt, result }: Awaited<ReturnType<typeof carry>>,
    language: Language,
  ): Omit<TestResult, 'milliseconds'> => {
    const { channel } = attempt;
    if (result.kind === 'failed') {
      const { failure } = result;
      const disables =
        failure.from === 'upstream' &&
        isChannelFault(failure.error, channel.provider, policy().disableKeywords);
      return { ok: false, message: describe(failure, language), disables };
    }
    if (result.kind === 'served' && result.ended === undefined) {
      const other = channel.rules.stopsOnOtherModel ? otherModelIn(attempt, language) : undefined;
      return other === undefined
        ? { ok: true, message: '' }
        : { ok: false, message: other, disables: true };
    }
    return { ok: false, message: translate(language, 'error.bad_response_body'), disables: false };
  };

  return async (
    channelId,
    { model: requested, endpoint, stream, keyName, caller, language, signal },
  ): Promise<TestResult> => {
    const record = await storage.channels.find(channelId);
    if (record === null) throw new AppError('not_found');
    const prepared = prepareChannel(record, deps.providers);
    if (prepared === undefined) throw new AppError('channel_test_unsupported');
    const keys = prepared.keys?.enabled ?? [];
    const channel =
      keyName === undefined ? (keys[0] ?? prepared) : keyOf(record, keyName, deps.providers);
    const model = requested || record.testModel || splitList(record.models)[0] || anyModel;
    const chosen = chooseEndpoint(channel, model, endpoint);
    const streams = stream && probes[chosen].streams === true;
    const probe = await openProbe(deps, {
      endpoint: chosen,
      model,
      stream: streams,
      caller,
      signal,
    });
    const startedAt = clock.now();
    try {
      const tried = await carry(channel, probe);
      const milliseconds = Math.round(clock.now() - startedAt);
      const verdict = judge(tried, language);
      const outcome = probe.outcome();
      if (verdict.ok && outcome !== undefined) await writeLog(probe, outcome, caller, milliseconds);
      return { ...verdict, milliseconds, ...(keys.length > 1 ? { keyName: channel.keyName } : {}) };
    } catch (error) {
      const failure: Failure = { from: 'gateway', error: asAppError(error) };
      return {
        ok: false,
        message: describe(failure, language),
        milliseconds: Math.round(clock.now() - startedAt),
        disables: false,
      };
    } finally {
      probe.close();
    }
  };
}
