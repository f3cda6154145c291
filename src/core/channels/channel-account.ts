import type { Changes } from '../kernel/changes.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import { Secret } from '../kernel/secret.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Channel, Storage } from '../storage/storage.ts';
import type { ChannelRecord } from '../upstream/channel.ts';
import { channelStatuses } from '../vocabulary/statuses.ts';

/** Calls about a channel's account at its upstream. Both throw AppError with what the upstream said, keys masked. */
export interface AccountCalls {
  listModels(channel: ChannelRecord): Promise<readonly string[]>;
  /** Decimal text in the vendor's currency. */
  readBalance(channel: ChannelRecord): Promise<{ readonly amount: string; readonly currency: string }>;
}

export interface ChannelAccountParts {
  readonly storage: Pick<Storage, 'channels'>;
  readonly calls: AccountCalls;
  readonly options: Pick<OptionStore, 'get'>;
  readonly changes: Changes;
  readonly logger: Logger;
  readonly clock: Clock;
  /** POLLING_INTERVAL, seconds between channels. */
  readonly pause: number;
}

/** Model lists and balances from upstreams (spec, console-api 6.2, 6.7). */
export interface ChannelAccounts {
  listModels(id: number): Promise<readonly string[]>;
  /** For the form of a channel that is not stored yet; the first line of the key counts. */
  previewModels(type: number, baseUrl: string, key: string): Promise<readonly string[]>;
  /** Reads and stores it. A number because the column is a reading, not money of ours. */
  updateBalance(id: number): Promise<number>;
  /** All enabled channels, in the background; does nothing while a run goes on. */
  startAllBalances(): void;
  stop(): Promise<void>;
}

export function createChannelAccounts(parts: ChannelAccountParts): ChannelAccounts {
  const { storage, calls, clock } = parts;
  const stopping = new AbortController();
  let run: Promise<void> | undefined;

  const find = async (id: number): Promise<Channel> => {
    const channel = await storage.channels.find(id);
    if (channel === null) throw new AppError('not_found');
    return withFirstKey(channel);
  };

  const store = async (channel: Channel): Promise<number> => {
    const balance = Number((await calls.readBalance(channel)).amount);
    await storage.channels.updateBalance(channel.id, balance, nowSeconds(clock));
    return balance;
  };

  const readOne = async (channel: Channel): Promise<void> => {
    try {
      const balance = await store(withFirstKey(channel));
      if (balance > 0 || !channel.autoBan || !parts.options.get('AutomaticDisableChannelEnabled')) return;
      const note = { reason: 'insufficient balance', time: nowSeconds(clock) };
      if (await storage.channels.setStatus(channel.id, channelStatuses.enabled, channelStatuses.autoDisabled, note)) {
        await parts.changes.announce('channels');
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      parts.logger.info({ channel: channel.id, code: error.code }, 'the balance of a channel could not be read');
    }
  };

  const readAll = async (): Promise<void> => {
    for (const channel of await storage.channels.listAllEnabled()) {
      if (stopping.signal.aborted) return;
      await readOne(channel);
      if (parts.pause > 0) await clock.sleep(parts.pause * 1000, stopping.signal);
    }
  };

  return {
    listModels: async (id) => calls.listModels(await find(id)),
    previewModels: (type, baseUrl, key) => calls.listModels(draftChannel(type, baseUrl, key)),
    updateBalance: async (id) => store(await find(id)),
    startAllBalances: () => {
      run ??= readAll()
        .catch((error: unknown) => {
          if (!stopping.signal.aborted) parts.logger.error({ error }, 'reading all balances broke off');
        })
        .finally(() => {
          run = undefined;
        });
    },
    stop: async () => {
      stopping.abort(new Error('stopping'));
      await run;
    },
  };
}

/** An imported channel may hold several keys, one per line. */
function withFirstKey(channel: Channel): Channel {
  const key = channel.key.reveal();
  return key.includes('\n') && !key.trimStart().startsWith('{') ? { ...channel, key: new Secret(firstLine(key)) } : channel;
}

function firstLine(key: string): string {
  return key.trim().split('\n')[0]?.trim() ?? '';
}

function draftChannel(type: number, baseUrl: string, key: string): ChannelRecord {
  return {
    id: 0,
    type,
    name: '',
    key: new Secret(key.trimStart().startsWith('{') ? key.trim() : firstLine(key)),
    baseUrl: baseUrl.trim().replace(/\/+$/, ''),
    openaiOrganization: '',
    other: '',
    models: '',
    group: '',
    modelMapping: '',
    statusCodeMapping: '',
    setting: '',
    paramOverride: '',
    priority: 0,
    weight: 0,
    autoBan: false,
    tag: '',
    otherInfo: '',
  };
}
