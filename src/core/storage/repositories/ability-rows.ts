import type { Insertable, Kysely } from 'kysely';
import { channelStatuses } from '../../vocabulary/statuses.ts';
import type { Database } from '../schema.ts';
import { inPieces } from './access.ts';

/** The fields from which abilities are derived. */
interface AbilitySource {
  readonly id: number;
  readonly status: number;
  readonly models: string;
  readonly group: string;
  readonly priority: number;
  readonly weight: number;
  readonly tag: string;
}

/** The channel columns that abilities depend on. */
export const abilityColumns = [
  'id',
  'status',
  'models',
  'group',
  'priority',
  'weight',
  'tag',
] as const;

/** Distinct, trimmed, non-empty entries of a comma list. */
function splitList(list: string): readonly string[] {
  return [...new Set(list.split(',').map((entry) => entry.trim()))].filter((entry) => entry !== '');
}

/** One row per (group, model), enabled iff the channel is (docs/rules/channels.md#abilities). */
function abilitiesOf(channel: AbilitySource): Insertable<Database['abilities']>[] {
  return splitList(channel.group).flatMap((group) =>
    splitList(channel.models).map((model) => ({
      group,
      model,
      channel_id: channel.id,
      enabled: channel.status === channelStatuses.enabled ? 1 : 0,
      priority: channel.priority,
      weight: channel.weight,
      tag: channel.tag,
    })),
  );
}

/** Rebuilds the abilities of channels. Must run in a transaction. */
export async function rebuildAbilities(
  database: Kysely<Database>,
  channelIds: readonly number[],
): Promise<void> {
  for (const ids of inPieces(channelIds)) {
    await database
      .deleteFrom('abilities')
      .where('channel_id', 'in', [...ids])
      .execute();
    const channels = await database
      .selectFrom('channels')
      .select(abilityColumns)
      .where('id', 'in', [...ids])
      .execute();
    for (const rows of inPieces(channels.flatMap(abilitiesOf))) {
      await database
        .insertInto('abilities')
        .values([...rows])
        .execute();
    }
  }
}
