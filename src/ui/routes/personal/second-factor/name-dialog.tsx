/** The name of a passkey, by which its owner knows the device. */
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../../components/dialog.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import classes from './second-factor.module.css';

interface NameDialogProps {
  readonly name: string;
  readonly submitLabel: string;
  readonly onClose: () => void;
  readonly onName: (name: string) => void;
}

const maxLength = 50;

export function NameDialog({ name, submitLabel, onClose, onName }: NameDialogProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onName(text.trim());
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      size={400}
      title={t('factor.passkeys')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form className={classes.dialog} onSubmit={submit}>
        <TextInput
          label={t('factor.passkeys.name')}
          placeholder={t('factor.passkeys.name.placeholder')}
          maxLength={maxLength}
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit">{submitLabel}</Button>
      </form>
    </Dialog>
  );
}
