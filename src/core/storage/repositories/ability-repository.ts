import type { Ability, AbilityRepository } from '../entities/channel.ts';
import { defineMapping, flag, integer, text } from '../mapping.ts';
import { rebuildAbilities } from './ability-rows.ts';
import type { Access } from './access.ts';

const mapping = defineMapping<'abilities', Ability>({
  group: text('group'),
  model: text('model'),
  channelId: integer('channel_id'),
  enabled: flag('enabled'),
  priority: integer('priority'),
  weight: integer('weight'),
  tag: text('tag'),
});

export function createAbilityRepository({ read, atomically }: Access): AbilityRepository {
  const enabled = () => read.selectFrom('abilities').where('enabled', '=', 1);
  return {
    async listEnabled() {
      return (await enabled().selectAll().orderBy('channel_id').execute()).map(mapping.read);
    },
    async listByChannel(channelId) {
      return (
        await read.selectFrom('abilities').selectAll().where('channel_id', '=', channelId).execute()
      ).map(mapping.read);
    },
    async enabledModels(groups) {
      if (groups?.length === 0) return [];
      let query = enabled();
      if (groups !== undefined) query = query.where('group', 'in', [...groups]);
      return (await query.select('model').distinct().execute()).map(({ model }) => model).sort();
    },
    async enabledGroups() {
      return (await enabled().select('group').distinct().execute())
        .map(({ group }) => group)
        .sort();
    },
    rebuildAll: () =>
      atomically(async (database) => {
        const ids = (await database.selectFrom('channels').select('id').execute()).map(
          ({ id }) => id,
        );
        // All rows, including those whose channel no longer exists.
        await database.deleteFrom('abilities').execute();
        await rebuildAbilities(database, ids);
        return ids.length;
      }),
  };
}
