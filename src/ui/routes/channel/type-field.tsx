import { Select } from '@mantine/core';
import { channelTypes } from '../../../core/vocabulary/channel-types.ts';
import { TypeLogo } from '../../components/provider-logo.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { type ChannelTypeFacts, typeName } from '../../queries/use-channel-types.ts';
import classes from './channel.module.css';

interface TypeFieldProps {
  readonly types: readonly ChannelTypeFacts[] | undefined;
  readonly value: number;
  /** The stored channel's: offered also where it is for imported channels only. */
  readonly stored: number;
  readonly onChange: (type: number) => void;
}

/** Types whose provider is not built yet come last; they are named, not hidden. */
export function TypeField({ types, value, stored, onChange }: TypeFieldProps) {
  const { t } = useTranslation();
  const isAvailable = (type: number) =>
    types?.find((entry) => entry.type === type)?.available !== false;
  const offered = channelTypes.filter((entry) => !('imported' in entry) || entry.type === stored);
  const options = [
    ...offered.filter((entry) => isAvailable(entry.type)),
    ...offered.filter((entry) => !isAvailable(entry.type)),
  ].map((entry) => ({
    value: String(entry.type),
    label: isAvailable(entry.type)
      ? entry.name
      : t('channel.form.type.unavailable', { name: entry.name }),
    disabled: !isAvailable(entry.type),
  }));
  return (
    <Select
      label={t('channel.form.type')}
      data-autofocus
      searchable
      allowDeselect={false}
      openOnFocus={false}
      styles={{ options: { maxHeight: 320 } }}
      leftSection={<TypeLogo type={value} name={typeName(value)} size={16} />}
      data={options}
      renderOption={({ option }) => (
        <span className={classes.typeOption}>
          <TypeLogo
            type={Number(option.value)}
            name={option.label}
            size={16}
            grey={option.disabled ?? false}
          />
          {option.label}
        </span>
      )}
      value={String(value)}
      onChange={(next) => next !== null && onChange(Number(next))}
    />
  );
}
