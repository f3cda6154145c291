/** Overrides what all channels of a tag have (docs/rules/channels.md#tags). */

import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { EntityDrawer } from '../../form/entity-drawer.tsx';
import type { FormField } from '../../form/fields.ts';
import { isJsonObject } from '../../form/json-text.ts';
import { useEntityForm } from '../../form/use-entity-form.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useGroupNames } from '../../queries/use-groups.ts';
import { useRefreshChannels } from '../../queries/use-invalidate.ts';
import { placeOfRefusal } from './channel-form.ts';
import { ModelField } from './model-field.tsx';

/** Empty means unchanged, except for the name: without one the channels lose their tag. */
interface TagValues {
  readonly new_tag: string;
  readonly models: readonly string[];
  readonly group: readonly string[];
  readonly model_mapping: string;
}

function tagInput({ new_tag, models, group, model_mapping }: TagValues) {
  return {
    new_tag: new_tag.trim(),
    models: models.join(','),
    groups: group.join(','),
    model_mapping,
  };
}

/** The names of the fields in a call that edits a tag. */
const callNames = {
  new_tag: 'new_tag',
  models: 'models',
  group: 'groups',
  model_mapping: 'model_mapping',
} as const;

/** A tag, and what its channels have: it is what an edit replaces. */
export interface EditedTag {
  readonly tag: string;
  readonly channels: number;
  readonly stored: TagValues;
}

async function storedOf(tag: string): Promise<TagValues> {
  const { models, groups, model_mappings } = await client.channelTags.values({ tag });
  return { new_tag: tag, models, group: groups, model_mapping: model_mappings.join('\n') };
}

/** What the drawer opens with. */
export const loadTag = async ({
  tag,
  channels,
}: Pick<EditedTag, 'tag' | 'channels'>): Promise<EditedTag> => ({
  tag,
  channels,
  stored: await storedOf(tag),
});

export function TagDrawer({
  row,
  onClose,
}: {
  readonly row: EditedTag;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const refresh = useRefreshChannels();
  const form = useEntityForm<TagValues, void>({
    creating: false,
    before: { new_tag: row.tag, models: [], group: [], model_mapping: '' },
    stored: row.stored,
    reread: async () => storedOf(row.tag),
    unchangedText: t('channel.tag.edit.nothing'),
    check: ({ model_mapping }) =>
      isJsonObject(model_mapping) ? {} : { model_mapping: t('channel.form.error.mapping') },
    fieldOf: (error) => {
      const place = placeOfRefusal(error);
      return place === 'models' || place === 'group' || place === 'model_mapping'
        ? place
        : undefined;
    },
    save: async (values, changed) => {
      const input = tagInput(values);
      const sent = changed.map((name) => [callNames[name], input[callNames[name]]] as const);
      await client.channel.editTag({ ...Object.fromEntries(sent), tag: row.tag });
    },
    onSaved: async () => {
      await refresh();
      onClose();
      toastSuccess(t('channel.tag.edit.done'));
    },
  });
  return (
    <EntityDrawer
      form={form}
      fields={useTagFields()}
      note={t('channel.tag.edit.hint')}
      title={t('channel.tag.edit.title', { tag: row.tag })}
      subtitle={t('channel.tag.row', { count: row.channels })}
      submitLabel={t('common.save')}
      onClose={onClose}
    />
  );
}

function useTagFields(): readonly FormField<TagValues>[] {
  const { t } = useTranslation();
  const groups = useGroupNames();
  return [
    {
      kind: 'text',
      name: 'new_tag',
      label: t('channel.tag.edit.name'),
      hint: t('channel.tag.edit.name.hint'),
      first: true,
    },
    {
      kind: 'custom',
      name: 'models',
      label: t('channel.form.models'),
      render: ({ value, error, onChange }) => (
        <ModelField
          value={value as readonly string[]}
          onChange={onChange}
          error={error}
          related={[]}
          description={t('channel.tag.edit.models.hint')}
        />
      ),
    },
    {
      kind: 'tags',
      name: 'group',
      label: t('channel.form.groups'),
      hint: t('channel.tag.edit.groups.hint'),
      closed: true,
      options: groups,
    },
    {
      kind: 'json',
      name: 'model_mapping',
      label: t('channel.form.mapping'),
      hint: t('channel.form.mapping.hint'),
    },
  ];
}
