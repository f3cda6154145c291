/** The logo of an entry: an image that is uploaded, or the address of one. */
import { TextInput } from '@mantine/core';
import { toastSuccess } from '../../client/failures.ts';
import { ImageUpload } from '../../components/image-upload/image-upload.tsx';
import { useTranslation } from '../../i18n/index.ts';
import classes from './entries.module.css';

interface IconFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}

export function IconField({ value, onChange, error }: IconFieldProps) {
  const { t } = useTranslation();
  const change = (url: string) => {
    onChange(url);
    if (url !== '') toastSuccess(t('management.form.icon.uploaded'));
  };
  return (
    <div className={classes.icon}>
      <ImageUpload
        label={t('management.form.icon')}
        value={value}
        onChange={change}
        required
        error={error}
      />
      <TextInput
        aria-label={t('management.form.icon.address')}
        placeholder={t('management.form.icon.address.hint')}
        error={error !== undefined}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
