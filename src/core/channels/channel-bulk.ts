import type { ChannelBulkChange } from '../contract/bulk.ts';
import {
  type BulkKind,
  type BulkRequest,
  type BulkResult,
  type BulkStep,
  type BulkValues,
  isAs,
  runBulk,
} from '../entities/bulk.ts';
import type { Actor } from '../kernel/actor.ts';
import { nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Channel, ChannelChange, ChannelFilter, Storage } from '../storage/storage.ts';
import { splitList } from '../upstream/channel.ts';
import { listKeys } from '../upstream/channel-keys.ts';
import { channelTypeInfo } from '../vocabulary/channel-types.ts';
import { readDisabledKeys } from '../vocabulary/disabled-keys.ts';
import { channelStatuses } from '../vocabulary/statuses.ts';
import { requireStatus } from './channel-drafts.ts';
import { readChannelFields } from './channel-fields.ts';
import { type ChannelDeps, type ChannelService, storedFilter } from './channel-service.ts';

/** What deleting or disabling takes away. */
export interface ChannelLoss {
  readonly keys: number;
  /** Models that no enabled channel has afterwards. */
  readonly models: readonly string[];
}

export interface ChannelBulk {
  /** Throws what {@link runBulk} throws. */
  run(
    actor: Actor,
    request: BulkRequest<ChannelFilter, ChannelBulkChange>,
  ): Promise<BulkResult<Channel> & { readonly lost: ChannelLoss }>;
}

/** Field of the API → of the row. */
const columns = {
  status: 'status',
  groups: 'group',
  models: 'models',
  priority: 'priority',
  weight: 'weight',
  tag: 'tag',
  auto_ban: 'autoBan',
} as const;

const valuesOf = (channel: Channel): BulkValues => ({
  status: channel.status,
  groups: channel.group,
  models: channel.models,
  priority: channel.priority,
  weight: channel.weight,
  tag: channel.tag,
  auto_ban: channel.autoBan ? 1 : 0,
});

/** With what enabling an enabled channel changes. */
const expectedOf = (channel: Channel): BulkValues => ({
  ...valuesOf(channel),
  disabled_keys: readDisabledKeys(channel.otherInfo).size,
});

function fieldsOf({ status: _, ...to }: BulkValues): Omit<ChannelChange, 'key'> {
  return Object.fromEntries(
    Object.entries(to).map(([field, value]) => [
      columns[field as keyof typeof columns],
      field === 'auto_ban' ? value === 1 : value,
    ]),
  );
}

/** Changes of many channels (docs/rules/console-api.md#bulk-changes). */
export function createChannelBulk({
  storage,
  commit,
  clock,
  providers,
  idsInState,
  remove,
}: ChannelDeps & Pick<ChannelService, 'remove'>): ChannelBulk {
  /** The row's values after a check of each field. */
  const checked = (channel: Channel, { status, ...to }: BulkValues): BulkValues => {
    if (status !== undefined) requireStatus(Number(status));
    const { key: _, ...fields } = readChannelFields(fieldsOf(to), channel.type, providers);
    const after = valuesOf({ ...channel, ...fields });
    return Object.fromEntries(
      Object.keys({ ...to, ...(status === undefined ? {} : { status }) }).map((field) => [
        field,
        field === 'status' ? Number(status) : (after[field] ?? ''),
      ]),
    );
  };

  const writeSteps = (actor: Actor, steps: readonly BulkStep[]) =>
    commit(async (inside, notes) => {
      const note = { reason: '', time: nowSeconds(clock) };
      const stored = new Map(
        (await inside.channels.findMany(steps.map(({ id }) => id))).map((row) => [row.id, row]),
      );
      const written: BulkStep[] = [];
      for (const step of steps) {
        const before = stored.get(step.id);
        if (before === undefined || !isAs(expectedOf(before), step.from)) continue;
        if (await writeStep(inside, before, step, note)) written.push(step);
      }
      for (const same of Map.groupBy(written, ({ from, to }) =>
        JSON.stringify([from, to]),
      ).values())
        notes.record(actor, 'channel.update', same.map(({ id }) => id).join(','), {
          ...(same.length === 1 && { name: same[0]?.name }),
          changes: changesOf(same),
        });
      if (written.length > 0)
        notes.changed(
          'channels',
          written.map(({ id }) => id),
        );
      const done = new Set(written);
      return steps
        .filter((step) => !done.has(step))
        .map(({ id, name }) => ({ id, name, error: new AppError('conflict') }));
    });

  const kindFor = (actor: Actor): BulkKind<Channel, ChannelFilter, ChannelBulkChange> => ({
    find: (ids) => storage.channels.findMany(ids),
    matching: async (match, limit) =>
      storage.channels.search(await storedFilter(match, idsInState), 'id', limit),
    nameOf: ({ id, name }) => `${name} #${id}`,
    undoable: Object.keys(columns),
    valuesOf,
    // Only the gateway disables by itself: what it had disabled stays disabled.
    restore: (channel, to) =>
      checked(
        channel,
        to['status'] === channelStatuses.autoDisabled
          ? { ...to, status: channelStatuses.disabled }
          : to,
      ),
    plan: (channel, change) => {
      if (change.delete) {
        const type = channelTypeInfo(channel.type)?.name ?? String(channel.type);
        // What deleted channels are counted by.
        return {
          from: { deleted: [type, channel.tag].filter(Boolean).join(' · ') },
          to: { deleted: 1 },
        };
      }
      const to = checked(channel, targetOf(channel, change));
      const from = expectedOf(channel);
      // Enabling an enabled channel enables the keys that the gateway disabled.
      const revives = to['status'] === channelStatuses.enabled && from['status'] === to['status'];
      return { from, to: revives ? { ...to, disabled_keys: 0 } : to };
    },
    write: async (steps, change) => {
      if (steps.length === 0) return [];
      if (!change?.delete) return writeSteps(actor, steps);
      await remove(
        actor,
        steps.map(({ id }) => id),
      );
      return [];
    },
  });

  return {
    run: async (actor, request) => {
      const { change } = request;
      if (change?.delete && Object.values(change).filter((value) => value !== undefined).length > 1)
        throw new AppError('invalid_parameter', { field: 'delete' });
      const result = await runBulk(kindFor(actor), request);
      const keysOf = ({ type, key }: Channel) =>
        key.isUnreadable
          ? 1
          : listKeys(key.reveal(), providers.forType(type)?.keyFormat?.json === true).length;
      return { ...result, lost: await lossOf(storage, result, request, keysOf) };
    },
  };
}

async function writeStep(
  { channels }: Storage,
  before: Channel,
  { id, to }: BulkStep,
  note: { readonly reason: string; readonly time: number },
): Promise<boolean> {
  const { disabled_keys: keys, ...values } = to;
  const status = keys === 0 ? channelStatuses.enabled : values['status'];
  const fields = fieldsOf(values);
  if (Object.keys(fields).length > 0 && !(await channels.update(id, fields))) return false;
  return status === undefined || channels.setStatus(id, before.status, Number(status), note);
}

/** As the audit log keeps it, under the row's own names. */
function changesOf([step]: readonly BulkStep[]) {
  const names: Readonly<Record<string, string>> = columns;
  return Object.fromEntries(
    Object.entries(step?.to ?? {}).map(([field, to]) => [
      names[field] ?? field,
      field === 'auto_ban'
        ? { from: to !== 1, to: to === 1 }
        : { from: step?.from[field] ?? '', to },
    ]),
  );
}

/** The values that a change asks for, not checked. */
function targetOf(channel: Channel, change: ChannelBulkChange): BulkValues {
  const groups = edited(channel.group, change.groups, change.add_groups, change.remove_groups);
  const [old, next] = change.replace_model ?? [];
  const replaced =
    old === undefined || next === undefined
      ? channel.models
      : splitList(channel.models)
          .map((model) => (model === old ? next : model))
          .join(',');
  const models = edited(replaced, change.models, change.add_models, change.remove_models);
  return {
    ...(groups !== channel.group && { groups }),
    ...(models !== channel.models && { models }),
    ...Object.fromEntries(
      (['status', 'priority', 'weight', 'tag', 'auto_ban'] as const).flatMap((field) => {
        const value = change[field];
        return value === undefined ? [] : [[field, value]];
      }),
    ),
  };
}

function edited(
  list: string,
  set: readonly string[] | undefined,
  add: readonly string[] = [],
  remove: readonly string[] = [],
): string {
  if (set === undefined && add.length === 0 && remove.length === 0) return list;
  const kept = [...(set ?? splitList(list)), ...add].filter((name) => !remove.includes(name));
  return [...new Set(kept)].join(',');
}

async function lossOf(
  { channels }: Pick<Storage, 'channels'>,
  { steps, rows }: Pick<BulkResult<Channel>, 'steps' | 'rows'>,
  { change, preview }: BulkRequest<ChannelFilter, ChannelBulkChange>,
  keysOf: (channel: Channel) => number,
): Promise<ChannelLoss> {
  const disables = change?.status !== undefined && change.status !== channelStatuses.enabled;
  if (!preview || (!change?.delete && !disables)) return { keys: 0, models: [] };
  const taken = new Set(steps.map(({ id }) => id));
  const gone = rows.filter(({ id }) => taken.has(id));
  const isServing = ({ status }: Channel) => status === channelStatuses.enabled;
  const left = new Set(
    (await channels.listAllEnabled())
      .filter(({ id }) => !taken.has(id))
      .flatMap(({ models }) => splitList(models)),
  );
  const served = new Set(gone.filter(isServing).flatMap(({ models }) => splitList(models)));
  return {
    keys: change?.delete ? gone.reduce((sum, channel) => sum + keysOf(channel), 0) : 0,
    models: [...served].filter((model) => !left.has(model)).sort(),
  };
}
