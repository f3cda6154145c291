/** The logo of an entry: the address of an image, with how it looks. */
import { TextInput } from '@mantine/core';
import { CatalogLogo } from '../../components/model-logo.tsx';
import { useTranslation } from '../../i18n/index.ts';
import classes from './entries.module.css';

interface IconFieldProps {
  readonly value: string;
  /** Whose maker's logo is shown until there is an image. */
  readonly model: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}

export function IconField({ value, model, onChange, error }: IconFieldProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.icon}>
      <span className={classes.preview}>
        <CatalogLogo model={model} icon={value} size={32} />
      </span>
      <TextInput
        label={t('management.form.icon')}
        description={t('management.form.icon.hint')}
        placeholder="https://"
        required
        error={error}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
