import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ManagedModel } from '../../../core/contract/model-square.ts';
import { guessModelType } from '../../../core/models/kind-by-name.ts';
import {
  catalogPriceTypes,
  catalogStatuses,
  modelTypes,
  specifications,
  unpublishedSizes,
} from '../../../core/vocabulary/model-square.ts';
import { client } from '../../client/api.ts';
import { vendorOfModel } from '../../components/vendor-names.ts';
import type { FormField } from '../../form/fields.ts';
import type { EntityForm } from '../../form/use-entity-form.ts';
import { currentLanguage, useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { type EntryValues, isCharged } from './entry-form.ts';
import { IconField } from './icon-field.tsx';
import { useChoices } from './use-entries.ts';

const contexts = ['8K', '16K', '32K', '64K', '128K', '200K', '256K', '400K', '1M'];
const unique = (values: readonly string[]) => [...new Set(values)].filter((value) => value !== '');

/**
 * `entry`: what is edited; null: a new one, whose type and maker follow its name until they are
 * entered.
 */
export function useEntryFields(
  form: EntityForm<EntryValues>,
  entry: ManagedModel | null,
): readonly FormField<EntryValues>[] {
  const { t } = useTranslation();
  const choices = useChoices();
  const creating = entry === null;
  const models = useQuery({
    queryKey: queryKeys.model.enabled,
    queryFn: () => client.channel.enabledModels(),
    enabled: creating,
    staleTime: 60_000,
  }).data;
  const { values } = form;
  const types = Object.values(modelTypes);
  useGuesses(form, creating);
  return [
    {
      kind: 'text',
      name: 'model',
      label: t('management.column.model'),
      hint: creating ? t('management.form.model.hint') : t('management.form.model.fixed'),
      required: true,
      disabled: !creating,
      first: creating,
      options: models ?? [],
    },
    {
      kind: 'custom',
      name: 'icon',
      label: t('management.form.icon'),
      required: true,
      render: ({ value, onChange, error }) => (
        <IconField value={String(value)} onChange={onChange} error={error} />
      ),
    },
    {
      kind: 'text',
      name: 'description',
      label: t('management.form.description'),
      required: true,
      lines: true,
      rows: [3, 10],
      first: !creating,
    },
    {
      kind: 'text',
      name: 'description_en',
      label: t('management.form.descriptionEn'),
      hint: t('management.form.english.hint'),
      lines: true,
      rows: [2, 10],
    },
    {
      kind: 'text',
      name: 'type',
      label: t('management.column.type'),
      required: true,
      half: true,
      options: unique([
        ...types.map(({ zh }) => zh),
        ...(choices?.types ?? []).map(({ type }) => type),
      ]),
    },
    {
      kind: 'text',
      name: 'type_en',
      label: t('management.form.typeEn'),
      half: true,
      options: unique([
        ...types.map(({ en }) => en),
        ...(choices?.types ?? []).map(({ type_en }) => type_en),
      ]),
    },
    {
      kind: 'tags',
      name: 'tags',
      label: t('management.column.tags'),
      hint: t('management.form.tags.hint'),
      required: true,
      phrases: true,
      options: unique((choices?.tags ?? []).map(({ tag }) => tag)),
    },
    {
      kind: 'tags',
      name: 'tags_en',
      label: t('management.form.tagsEn'),
      hint: t('management.form.tagsEn.hint'),
      phrases: true,
      options: unique((choices?.tags ?? []).map(({ tag_en }) => tag_en)),
    },
    {
      kind: 'text',
      name: 'manufacturer',
      label: t('management.column.vendor'),
      required: true,
      half: true,
      options: unique((choices?.modelManufacturers ?? []).map(({ manufacturer }) => manufacturer)),
    },
    {
      kind: 'custom',
      name: 'publish_time',
      label: t('management.column.published'),
      required: true,
      half: true,
      render: ({ value, onChange, error }) => (
        <TextInput
          type="date"
          label={t('management.column.published')}
          required
          error={error}
          max="9999-12-31"
          value={String(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ),
    },
    {
      kind: 'text',
      name: 'context',
      label: t('management.column.context'),
      hint: t('management.form.context.hint'),
      required: true,
      half: true,
      options: contexts,
    },
    {
      kind: 'tags',
      name: 'specification',
      label: t('management.column.spec'),
      hint: t('management.form.spec.hint'),
      required: true,
      half: true,
      options: unique([
        ...specifications,
        unpublishedSizes[currentLanguage()],
        ...(choices?.specification ?? []),
      ]),
    },
    {
      kind: 'select',
      name: 'price_type',
      label: t('management.column.priceType'),
      hint:
        entry !== null && values.price_type === String(catalogPriceTypes.free) && isCharged(entry)
          ? t('management.charged.why')
          : undefined,
      required: true,
      half: true,
      options: [
        { value: String(catalogPriceTypes.billed), label: t('models.price.billed') },
        { value: String(catalogPriceTypes.free), label: t('models.price.free') },
      ],
    },
    {
      kind: 'number',
      name: 'model_price',
      label: t('management.form.price'),
      hint: t('management.form.price.hint'),
      min: 0,
      decimal: true,
      half: true,
      visible: ({ price_type }) => price_type === String(catalogPriceTypes.billed),
    },
    {
      kind: 'select',
      name: 'status',
      label: t('management.column.status'),
      hint: t('management.form.status.hint'),
      required: true,
      half: true,
      options: [
        { value: String(catalogStatuses.enabled), label: t('models.status.1') },
        { value: String(catalogStatuses.disabled), label: t('models.status.2') },
      ],
    },
  ];
}

const guessed = ['type', 'type_en', 'manufacturer'] as const;
type Guess = Pick<EntryValues, (typeof guessed)[number]>;
const noGuess: Guess = { type: '', type_en: '', manufacturer: '' };

/**
 * While a new entry is named, its type and maker follow the name; what was entered by hand stays.
 */
function useGuesses(form: EntityForm<EntryValues>, creating: boolean): void {
  const last = useRef(noGuess);
  const { model } = form.values;
  const follow = useEffectEvent(() => {
    const name = model.trim();
    const { zh, en } = modelTypes[guessModelType(name)];
    const next =
      name === ''
        ? noGuess
        : { type: zh, type_en: en, manufacturer: vendorOfModel(name, currentLanguage()) };
    for (const field of guessed) {
      if (form.values[field] === last.current[field] && next[field] !== last.current[field])
        form.set(field, next[field]);
    }
    last.current = next;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the name decides
  useEffect(() => {
    if (creating) follow();
  }, [model, creating]);
}
