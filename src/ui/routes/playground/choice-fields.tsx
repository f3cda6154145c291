/** The group, with its ratio, and the model. */
import { Select } from '@mantine/core';
import { ModelLogo } from '../../components/provider-logo.tsx';
import { useTranslation } from '../../i18n/index.ts';
import type { Choices, Wanted } from './choices.ts';

/** Entries of a long list that are drawn; the rest is found by searching. */
const mostShown = 100;

interface ChoiceFieldsProps {
  readonly choices: Choices;
  readonly onChange: (wanted: Partial<Wanted>) => void;
}

export function ChoiceFields({ choices: { groups, group, models, model }, onChange }: ChoiceFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <Select
        label={t('playground.group')}
        data={groups.map(({ name, ratio, own }) => ({
          value: name,
          label: `${own ? t('playground.group.own', { name }) : name} ×${ratio}`,
        }))}
        value={group?.name ?? null}
        allowDeselect={false}
        checkIconPosition="right"
        onChange={(name) => name !== null && onChange({ group: name })}
      />
      <Select
        label={t('playground.model')}
        data={models.map((entry) => entry.model)}
        value={model?.model ?? null}
        allowDeselect={false}
        searchable
        limit={mostShown}
        checkIconPosition="right"
        placeholder={t('playground.model.search')}
        nothingFoundMessage={t('playground.model.none')}
        disabled={models.length === 0}
        leftSection={model === undefined ? undefined : <ModelLogo model={model.model} size={16} />}
        renderOption={({ option }) => (
          <>
            <ModelLogo model={option.value} size={16} />
            <span>{option.label}</span>
          </>
        )}
        onChange={(name) => name !== null && onChange({ model: name })}
      />
    </>
  );
}
