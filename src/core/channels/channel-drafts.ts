/** What a call would write of a channel, checked but not stored. */
import type { ProviderRegistry } from '../canonical/registry.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { Secret } from '../kernel/secret.ts';
import type { Channel, ChannelChange, NewChannel } from '../storage/storage.ts';
import { isRoot } from '../vocabulary/roles.ts';
import { channelStatuses } from '../vocabulary/statuses.ts';
import { type ChannelFields, readChannelFields } from './channel-fields.ts';
import { checkKeyMode, checkKeys, keysOfNewChannels } from './channel-keys.ts';
import { keyDestination, reachesOthers } from './key-destination.ts';

export interface ChannelDraftDeps {
  readonly get: (id: number) => Promise<Channel>;
  readonly clock: Clock;
  readonly providers: ProviderRegistry;
}

/** What decides where a channel's key is sent. */
type Destined = Pick<Channel, 'type' | 'key' | 'baseUrl' | 'setting'>;

export function createChannelDrafts({ get, clock, providers }: ChannelDraftDeps) {
  /** `keepsKey`: the actor did not enter the key that is sent to the new destination. */
  const compareDestinations = (
    actor: Actor,
    before: Destined,
    after: Destined,
    keepsKey: boolean,
  ) => {
    const from = keyDestination(before, providers);
    const to = keyDestination(after, providers);
    if (keepsKey && before.key.reveal() !== '' && reachesOthers(from, to) && !isRoot(actor.role))
      throw new AppError('channel_key_required_again');
    return from.shown === to.shown ? {} : { address: { from: from.shown, to: to.shown } };
  };

  const readNew = async (
    actor: Actor,
    fields: Partial<ChannelFields> & { readonly type: number },
    copyFrom?: number,
  ) => {
    const source = copyFrom === undefined ? undefined : await get(copyFrom);
    checkKeyMode(fields.setting);
    const keyFormat = providers.forType(fields.type)?.keyFormat;
    checkKeys(fields.key ?? '', keyFormat);
    const keys = keysOfNewChannels(
      fields.key || (source?.key.reveal() ?? ''),
      fields.setting ?? '',
      keyFormat,
    );
    const keyless = keys.length === 0;
    if (!fields.name?.trim() || keyless) throw new AppError('channel_name_and_key_required');
    const given = { baseUrl: '', models: '', group: 'default', ...fields, name: fields.name };
    const checked = readChannelFields(given, fields.type, providers);
    const row = newRow(checked, fields.type, nowSeconds(clock));
    const [key = ''] = keys;
    const made: Destined = {
      type: row.type,
      key: new Secret(key),
      baseUrl: row.baseUrl ?? '',
      setting: row.setting ?? '',
    };
    const moved = source === undefined ? {} : compareDestinations(actor, source, made, !fields.key);
    return { row, keys, made, moved };
  };
  const readChange = (
    actor: Actor,
    before: Channel,
    fields: Partial<ChannelFields>,
    status: number | undefined,
  ) => {
    if (status !== undefined) requireStatus(status);
    checkKeyMode(fields.setting);
    const type = fields.type ?? before.type;
    const { key, ...checked } = readChannelFields(fields, type, providers);
    checkKeys(key ?? '', providers.forType(type)?.keyFormat);
    const change: ChannelChange = {
      ...checked,
      ...(key?.trim() && { key: new Secret(key.trim()) }),
    };
    const moved = compareDestinations(
      actor,
      before,
      { ...before, ...change },
      change.key === undefined,
    );
    return { change, moved };
  };

  /**
   * Why `create` (without an id) or `update` would refuse the fields: the first reason for the
   * whole, and one for each field that is wrong by itself.
   */
  const refusals = async (
    actor: Actor,
    fields: Partial<ChannelFields>,
    id?: number,
    status?: number,
  ): Promise<readonly AppError[]> => {
    const before = id === undefined ? undefined : await get(id);
    const { type: _, ...others } = fields;
    const type = fields.type ?? before?.type ?? 0;
    const whole = await refusalOf(() =>
      before === undefined
        ? readNew(actor, { ...fields, type })
        : readChange(actor, before, fields, status),
    );
    if (whole === undefined) return [];
    const each: AppError[] = [];
    for (const [name, value] of Object.entries(others)) {
      const refusal = await refusalOf(() => readChannelFields({ [name]: value }, type, providers));
      if (refusal !== undefined)
        each.push(new AppError(refusal.code, { field: wireName(name), ...refusal.params }));
    }
    const { field } = whole.params;
    const isNamed = each.some(
      ({ code, params }) =>
        code === whole.code && (field === undefined || field === params['field']),
    );
    return isNamed ? each : [whole, ...each];
  };

  return { readNew, readChange, refusals };
}

/** `baseUrl` → `base_url`. */
const wireName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

async function refusalOf(check: () => unknown): Promise<AppError | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** Administrators may set enabled and disabled; auto-disabled is set only by the gateway. */
export function requireStatus(status: number): void {
  if (status !== channelStatuses.enabled && status !== channelStatuses.disabled)
    throw new AppError('invalid_parameter', { field: 'status' });
}

function newRow(
  fields: Partial<ChannelFields>,
  type: number,
  createdTime: number,
): Omit<NewChannel, 'key'> {
  const { key: _, name = '', models = '', ...rest } = fields;
  return { ...rest, type, name, models, createdTime, status: channelStatuses.enabled };
}
