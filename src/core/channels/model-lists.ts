/** The lists of models that a site can read (docs/rules/models.md#sources). */
import { createPublicKey, verify } from 'node:crypto';
import { dayOf } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { knownModels } from '../models/known-models.ts';
import type { ModelRule } from '../models/schema.ts';
import type { FoundModel } from '../models/sources/found-model.ts';
import { type ModelList, readModelList } from '../models/sources/read-list.ts';
import type { OptionValue } from '../options/index.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';
import type { UpstreamChannel } from '../upstream/channel.ts';
import type { AccountCalls } from './channel-account.ts';

/** Whose list, and of when: an older one of the same key is refused. */
export type SignedList = NonNullable<OptionValue<'model_sync.learned'>['signed']>;

/** A list that was read, or why it was not. */
export interface ReadList {
  readonly name: string;
  /** The address that says so. */
  readonly source: string;
  readonly isAuthority: boolean;
  readonly models: readonly FoundModel[];
  /** Undefined: the list says nothing of rules. */
  readonly rules?: readonly ModelRule[];
  /** The key whose signature it has, and when it was made. */
  readonly signed?: SignedList;
  /** A vendor's own list: names that it has, and those that a channel sends there. */
  readonly sent?: readonly string[];
  readonly error?: unknown;
}

export interface ModelListDeps {
  readonly calls: Pick<AccountCalls, 'describeModels' | 'fetchText'>;
  readonly storage: Pick<Storage, 'channels'>;
  readonly options: Pick<OptionStore, 'get'>;
  /** Enabled channels. */
  readonly channels: () => Iterable<UpstreamChannel>;
}

/** An Ed25519 key without what stands around its 32 bytes, as a key object needs it. */
const keyHeader = Buffer.from('302a300506032b6570032100', 'hex');

/** Throws AppError model_list_unsigned where the signature is not that of the key. */
function checkSignature(text: string, signature: string, publicKey: string): void {
  const der = Buffer.concat([keyHeader, Buffer.from(publicKey, 'base64')]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const isSigned = verify(null, Buffer.from(text), key, Buffer.from(signature.trim(), 'base64'));
  if (!isSigned) throw new AppError('model_list_unsigned');
}

/** Vendors of the catalogue whose models a channel's provider serves. */
const vendorsOf = ({ provider }: UpstreamChannel): readonly string[] =>
  provider.serves ?? [provider.slug];

/** The names that a channel sends to its upstream. */
const sentNames = ({ models, modelMapping }: UpstreamChannel): readonly string[] =>
  models.map((model) => modelMapping[model] ?? model);

/**
 * Of a server that many makers use, and of other makers' models, only what channels list: a reseller
 * has thousands.
 */
function isWanted({ name, server }: FoundModel, sent: ReadonlySet<string>): boolean {
  const { row, facts } = knownModels.find(name);
  return sent.has(name) || (row?.vendor ?? facts.vendor) === server;
}

export function createModelLists({ calls, storage, options, channels }: ModelListDeps) {
  const readChannel = async (channel: UpstreamChannel): Promise<ReadList | undefined> => {
    const { provider, baseUrl, name } = channel;
    if (provider.account?.describeModels === undefined) return undefined;
    const sent = sentNames(channel);
    const common = { name, source: baseUrl, isAuthority: true };
    try {
      const record = await storage.channels.find(channel.id);
      if (record === null) return undefined;
      const found = await calls.describeModels(record);
      const names = new Set(sent);
      return { ...common, models: found.filter((model) => isWanted(model, names)), sent };
    } catch (error) {
      return { ...common, models: [], error };
    }
  };

  /** Throws AppError model_list_expired, model_list_outdated. */
  const checkAge = ({ issued, expires }: ModelList, key: string, now: number): void => {
    if (expires !== undefined && Date.parse(expires) <= now)
      throw new AppError('model_list_expired');
    const { signed } = options.get('model_sync.learned');
    if (signed === undefined || signed.key !== key) return;
    if (issued === undefined || Date.parse(issued) < Date.parse(signed.issued))
      throw new AppError('model_list_outdated');
  };

  /**
   * Throws AppError model_list_unreadable, model_list_unsigned, model_list_expired,
   * model_list_outdated, and the errors of the calls.
   */
  const readAddress = async (url: string, now: number) => {
    const key = options.get('model_sync.signer');
    const proxy = options.get('model_sync.proxy') || undefined;
    const text = await calls.fetchText(url, proxy);
    if (key !== '') checkSignature(text, await calls.fetchText(`${url}.sig`, proxy), key);
    const list = readModelList(text, dayOf(now));
    if (list === undefined) throw new AppError('model_list_unreadable');
    checkAge(list, key, now);
    return { ...list, key };
  };

  return {
    /** Each vendor's and reseller's own list: of channels with one address, the first. */
    ofChannels: async (): Promise<readonly ReadList[]> => {
      const byAddress = new Map<string, UpstreamChannel>();
      for (const channel of channels()) {
        const place = `${channel.provider.slug} ${channel.baseUrl}`;
        if (!byAddress.has(place)) byAddress.set(place, channel);
      }
      const lists: ReadList[] = [];
      for (const channel of byAddress.values()) {
        const list = await readChannel(channel);
        if (list !== undefined) lists.push(list);
      }
      return lists;
    },
    /** Empty: no address is set. `now`: milliseconds. */
    ofAddress: async (now: number): Promise<readonly ReadList[]> => {
      const url = options.get('model_sync.address');
      if (url === '') return [];
      const common = { name: url, source: url };
      try {
        const { format, models, rules, issued, key } = await readAddress(url, now);
        const isOwn = format === 'turnpike';
        const signed = key === '' || issued === undefined ? undefined : { key, issued };
        return [
          {
            ...common,
            isAuthority: isOwn,
            models,
            ...(isOwn && { rules }),
            ...(signed && { signed }),
          },
        ];
      } catch (error) {
        return [{ ...common, isAuthority: false, models: [], error }];
      }
    },
    /** Vendors whose models count in a list of many: those of enabled channels, else all. */
    vendors: (): ReadonlySet<string> => {
      const served = [...channels()].flatMap(vendorsOf);
      const every = knownModels.rows().flatMap(({ vendor }) => vendor ?? []);
      return new Set(served.length > 0 ? served : every);
    },
  };
}
