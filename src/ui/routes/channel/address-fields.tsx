/** Where a channel leads: its address, and what its type calls `other`. */
import { Autocomplete, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { vendorFields } from '../../../core/providers/fields.ts';
import { currentLanguage } from '../../i18n/index.ts';
import classes from './channel.module.css';
import type { ChannelTypeFacts } from './use-channel-types.ts';

interface FieldProps {
  readonly facts: ChannelTypeFacts | undefined;
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** The plans of a vendor are offered by their words. */
export function BaseUrlField({ facts, label, value, error, onChange }: FieldProps) {
  const { t } = useTranslation();
  const home = facts?.default_base_url;
  const plans = facts?.plan_words ?? [];
  const rule = facts?.complete_url
    ? t('channel.form.baseUrl.full')
    : home
      ? t('channel.form.baseUrl.default', { url: home })
      : home === ''
        ? t('channel.form.baseUrl.derived')
        : t('channel.form.baseUrl.required');
  const common = {
    label,
    withAsterisk: facts?.available === true && home === null,
    placeholder: facts?.complete_url ? 'https://host/v1/chat/completions' : home || 'https://',
    classNames: { input: classes.code ?? '' },
    value,
    error,
  };
  if (plans.length === 0)
    return <TextInput {...common} description={rule} onChange={(event) => onChange(event.currentTarget.value)} />;
  const named = t('channel.form.baseUrl.plans', { words: plans.join(t('common.joint')) });
  return (
    <Autocomplete
      {...common}
      description={`${rule}${t('channel.form.baseUrl.stop')}${named}`}
      data={[...plans]}
      onChange={onChange}
    />
  );
}

/** Nothing where the type has no use for it. */
export function OtherField({ facts, label, value, error, onChange }: FieldProps) {
  if (facts === undefined || facts.other_label === '') return null;
  const { other } = vendorFields(facts.slug);
  const common = {
    label,
    withAsterisk: facts.other_required,
    placeholder: other?.example ?? '',
    description: other?.hint[currentLanguage()],
    classNames: { input: classes.code ?? '' },
    spellCheck: false,
    value,
    error,
  };
  if (other?.multiline !== true) return <TextInput {...common} onChange={(event) => onChange(event.currentTarget.value)} />;
  return <Textarea {...common} autosize minRows={1} maxRows={8} onChange={(event) => onChange(event.currentTarget.value)} />;
}
