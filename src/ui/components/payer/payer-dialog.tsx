/** Whom receipts are made out to (docs/rules/payments.md#receipts). */
import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Payer, payerLimits } from '../../../core/entities/payer.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Dialog } from '../dialog.tsx';
import { FormFailure } from '../form-failure.tsx';

interface PayerDialogProps {
  readonly payer: Payer;
  /** Reads what was saved again. */
  readonly onSaved: () => Promise<unknown>;
  readonly onClose: () => void;
}

export function PayerDialog({ payer, onSaved, onClose }: PayerDialogProps) {
  const { t } = useTranslation();
  const [values, setValues] = useState(payer);
  const save = useMutation({
    meta: { quiet: true },
    mutationFn: () => client.self.updateSetting(values),
    onSuccess: async () => {
      await onSaved();
      toastSuccess(t('receipt.saved'));
      onClose();
    },
  });
  const field = (name: keyof Payer) => ({
    maxLength: payerLimits[name],
    value: values[name],
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      setValues({ ...values, [name]: currentTarget.value }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      size={440}
      title={t('receipt.details')}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap={16}>
          <Text fz={13} c="var(--tp-dim)">
            {t('receipt.details.text')}
          </Text>
          <TextInput
            label={t('receipt.name')}
            autoComplete="organization"
            data-autofocus
            {...field('payer_name')}
          />
          <Textarea
            label={t('receipt.address')}
            autoComplete="street-address"
            autosize
            minRows={2}
            maxRows={5}
            {...field('payer_address')}
          />
          <TextInput
            label={t('receipt.taxNumber')}
            autoComplete="off"
            {...field('payer_tax_number')}
          />
        </Stack>
        <FormFailure error={save.error} />
        <Group justify="flex-end" gap={8} mt={20}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('common.save')}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
