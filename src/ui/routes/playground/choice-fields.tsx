/** The group, with its ratio, and the model. */
import { NativeSelect, TextInput } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { ModelLogo } from '../../components/provider-logo.tsx';
import { lazyControl } from '../../form/lazy-control.tsx';
import { useTranslation } from '../../i18n/index.ts';
import type { Choices, Wanted } from './choices.ts';
import type { ModelSelectProps } from './model-select.tsx';

/** Label and field. */
const height = 64;
const LazyModelSelect = lazyControl<ModelSelectProps>(
  async () => (await import('./model-select.tsx')).ModelSelect,
  height,
);

interface ChoiceFieldsProps {
  readonly choices: Choices;
  readonly onChange: (wanted: Partial<Wanted>) => void;
}

export function ChoiceFields({
  choices: { groups, group, models, model },
  onChange,
}: ChoiceFieldsProps) {
  const { t } = useTranslation();
  const standIn = (
    <TextInput
      label={t('playground.model')}
      role="combobox"
      aria-expanded={false}
      readOnly
      disabled={models.length === 0}
      value={model?.model ?? ''}
      leftSection={model === undefined ? undefined : <ModelLogo model={model.model} size={16} />}
      rightSection={<ChevronDown size={14} aria-hidden="true" />}
    />
  );
  return (
    <>
      <NativeSelect
        label={t('playground.group')}
        data={groups.map(({ name, ratio, own }) => ({
          value: name,
          label: `${own ? t('playground.group.own', { name }) : name} ×${ratio}`,
        }))}
        value={group?.name ?? ''}
        onChange={(event) => onChange({ group: event.currentTarget.value })}
      />
      <LazyModelSelect
        placeholder={{ name: t('playground.model'), standIn }}
        models={models}
        value={model?.model ?? null}
        onChange={(name) => onChange({ model: name })}
      />
    </>
  );
}
