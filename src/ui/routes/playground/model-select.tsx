/** A searchable list of models. Loaded when the reader goes to it. */
import { Select } from '@mantine/core';
import type { CatalogModel } from '../../../core/contract/model-square.ts';
import { ModelLogo } from '../../components/provider-logo.tsx';
import { useTranslation } from '../../i18n/index.ts';

/** Entries of a long list that are drawn; the rest is found by searching. */
const mostShown = 100;

export interface ModelSelectProps {
  readonly models: readonly CatalogModel[];
  readonly value: string | null;
  readonly onChange: (model: string) => void;
}

export function ModelSelect({ models, value, onChange }: ModelSelectProps) {
  const { t } = useTranslation();
  return (
    <Select
      label={t('playground.model')}
      data={models.map(({ model }) => model)}
      value={value}
      allowDeselect={false}
      searchable
      limit={mostShown}
      checkIconPosition="right"
      placeholder={t('playground.model.search')}
      nothingFoundMessage={t('playground.model.none')}
      disabled={models.length === 0}
      leftSection={value === null ? undefined : <ModelLogo model={value} size={16} />}
      renderOption={({ option }) => (
        <>
          <ModelLogo model={option.value} size={16} />
          <span>{option.label}</span>
        </>
      )}
      onChange={(name) => name !== null && onChange(name)}
    />
  );
}
