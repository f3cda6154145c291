/** A secret: written, never shown. A stored one says so, and stays unless something is typed. */
import { PasswordInput, Textarea } from '@mantine/core';
import { ValueTag } from '../components/tag.tsx';
import { useTranslation } from '../i18n/index.ts';

interface SecretFieldProps {
  readonly label: string;
  readonly description?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly disabled?: boolean;
  readonly error?: string | undefined;
  readonly required?: boolean;
  readonly withAsterisk?: boolean;
  /** Something is stored. */
  readonly stored: boolean;
  readonly lines: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function SecretField({ stored, lines, value, onChange, placeholder, ...rest }: SecretFieldProps) {
  const { t } = useTranslation();
  const kept = stored && value === '';
  const props = {
    ...rest,
    placeholder: kept ? t('common.saved.keep') : placeholder,
    spellCheck: false,
    value,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => onChange(event.currentTarget.value),
    ...(kept ? { rightSection: <ValueTag tone="ok">{t('common.saved')}</ValueTag>, rightSectionWidth: 76 } : {}),
  };
  if (lines) {
    const styles = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } };
    return <Textarea {...props} styles={styles} autosize minRows={2} maxRows={8} autoComplete="off" />;
  }
  return (
    <PasswordInput
      {...props}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ 'aria-label': t('common.secret.show') }}
    />
  );
}
