/** A secret: written, never shown. A stored one says so, and stays unless something is typed. */
import { Textarea, TextInput } from '@mantine/core';
import { Eye } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../components/icon-button.tsx';
import { ValueTag } from '../components/tag.tsx';
import { useTranslation } from '../i18n/index.ts';
import type { Field, FieldProps } from './fields.ts';
import { commonProps, rowsOf } from './plain-field.tsx';

type SecretField = Extract<Field, { readonly kind: 'secret' }>;

export function SecretFieldInput({
  field,
  value,
  onChange,
  error,
}: FieldProps & { readonly field: SecretField }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const kept = field.stored && value === '';
  const props = {
    ...commonProps(field, error),
    ...(kept && { placeholder: t('common.saved.keep') }),
    spellCheck: false,
    value: String(value),
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange(event.currentTarget.value),
    ...(kept
      ? { rightSection: <ValueTag tone="ok">{t('common.saved')}</ValueTag>, rightSectionWidth: 76 }
      : {}),
  };
  if (field.lines) {
    const styles = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } };
    return <Textarea {...props} styles={styles} {...rowsOf(field)} autoComplete="off" />;
  }
  // Mantine's own password field would be one more file of the first load.
  const reveal = (
    <IconButton
      type="button"
      label={t('common.secret.show')}
      aria-pressed={shown}
      onClick={() => setShown(!shown)}
    >
      <Eye size={16} strokeWidth={1.75} aria-hidden="true" />
    </IconButton>
  );
  return (
    <TextInput
      {...(!kept && { rightSection: reveal })}
      {...props}
      type={shown ? 'text' : 'password'}
      autoComplete="new-password"
    />
  );
}
