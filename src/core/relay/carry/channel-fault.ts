/**
 * Switches off channels, or single keys of them, after failures of their own
 * (docs/rules/routing.md#channel-fault).
 */

import type { ProviderError } from '../../canonical/chat-reply.ts';
import type { Provider } from '../../canonical/provider.ts';
import { type Language, translate } from '../../i18n/translate.ts';
import { nowSeconds } from '../../kernel/clock.ts';
import { isOtherModel } from '../../models/known-models.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';
import { channelStatuses } from '../../vocabulary/statuses.ts';
import type { Attempt } from '../attempt.ts';
import type { RelayDeps } from '../context.ts';
import type { RelayPolicy } from '../policy.ts';

const faultCodes = new Set([
  'invalid_api_key',
  'account_deactivated',
  'billing_not_active',
  'Arrearage',
]);
const faultTypes = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'authentication_error',
  'permission_error',
  'forbidden',
]);

/**
 * Whether an upstream's error is about the channel's account (docs/rules/routing.md#channel-fault).
 */
export function isChannelFault(
  error: ProviderError,
  provider: Pick<Provider, 'accountFaultStatuses'>,
  keywords: readonly string[],
): boolean {
  if (error.status === 401 || error.accountFault === true) return true;
  if (provider.accountFaultStatuses?.includes(error.status) === true) return true;
  if (faultCodes.has(error.code ?? '') || faultTypes.has(error.type ?? '')) return true;
  const message = (error.message ?? '').toLowerCase();
  return message !== '' && keywords.some((keyword) => message.includes(keyword));
}

/**
 * Milliseconds within which a second fault confirms the first (docs/rules/routing.md#auto-disable):
 * one odd request must not disable a channel.
 */
const confirmWithin = 60_000;

export interface ChannelFaults {
  /**
   * Judges a failure; switches the channel off where site and channel allow it and the fault is
   * confirmed. Of several keys only the one that failed is switched off, and with the last one the
   * channel.
   */
  judge(channel: UpstreamChannel, error: ProviderError, policy: RelayPolicy): void;
  /**
   * Switches a channel off whose reply names another model than the one that was requested. Only for
   * channels that are set to it.
   */
  judgeModel(attempt: ServedAttempt): void;
}

type ServedAttempt = Pick<Attempt, 'channel' | 'upstreamModel' | 'reply'>;

/** What is wrong with the model of a reply, in words; undefined: nothing. */
export function otherModelIn(
  { upstreamModel, reply }: Pick<Attempt, 'upstreamModel' | 'reply'>,
  language: Language,
): string | undefined {
  const model = reply?.model;
  if (model === undefined || !isOtherModel(upstreamModel, model)) return undefined;
  return translate(language, 'reason.other_model', { requested: upstreamModel, replied: model });
}

export function createChannelFaults(
  deps: Pick<
    RelayDeps,
    'cluster' | 'storage' | 'changes' | 'routing' | 'clock' | 'logger' | 'notices' | 'siteLanguage'
  >,
): ChannelFaults {
  /** By health key: that of a single API key, or of the channel. */
  const faults = deps.cluster.counter('channel faults');

  const disable = async (channel: UpstreamChannel, reason: string): Promise<void> => {
    // Out of the index at once; the row follows, and only if nobody changed it meanwhile. Where it
    // could not be written, the channel is read again as it is.
    deps.routing.drop(channel.id);
    const note = { reason, time: nowSeconds(deps.clock) };
    const written = await deps.storage.channels
      .setStatus(channel.id, channelStatuses.enabled, channelStatuses.autoDisabled, note)
      .finally(() => deps.changes.announce('channels', channel.id));
    if (!written) return;
    deps.logger.warn(
      { channel: channel.id, name: channel.name, reason },
      'a channel was switched off',
    );
    deps.notices.disabled(channel, reason);
  };

  const disableKey = async (
    channel: UpstreamChannel,
    keyName: string,
    reason: string,
  ): Promise<void> => {
    const keysLeft = deps.routing.dropKey(channel.id, keyName);
    const note = { reason, time: nowSeconds(deps.clock) };
    await deps.storage.channels
      .disableKey(channel.id, keyName, note)
      .finally(() => deps.changes.announce('channels', channel.id));
    deps.logger.warn(
      { channel: channel.id, key: channel.keyPosition, reason },
      'a key of a channel was switched off',
    );
    if (!keysLeft) await disable(channel, reason);
  };

  const countFault = async (channel: UpstreamChannel, error: ProviderError): Promise<void> => {
    const healthKey = channel.healthKeys.at(-1) ?? '';
    const { count } = await faults.increment(healthKey, confirmWithin);
    if (count === 1) return;
    await faults.reset(healthKey);
    const reason = error.message ?? `status ${error.status}`;
    const { keyName } = channel;
    await (keyName === undefined ? disable(channel, reason) : disableKey(channel, keyName, reason));
  };

  const report = (channel: UpstreamChannel) => (cause: unknown) =>
    deps.logger.error({ error: cause, channel: channel.id }, 'a channel could not be switched off');

  return {
    judgeModel: ({ channel, ...attempt }) => {
      const reason = otherModelIn(attempt, deps.siteLanguage());
      if (reason !== undefined) disable(channel, reason).catch(report(channel));
    },
    judge: (channel, error, policy) => {
      if (
        !policy.autoDisable ||
        !channel.autoBan ||
        !isChannelFault(error, channel.provider, policy.disableKeywords)
      )
        return;
      countFault(channel, error).catch(report(channel));
    },
  };
}
