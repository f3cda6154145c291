/** Binds a phone number by a code sent to it (docs/rules/accounts.md#phone-binding). */
import { Button, Group, Input, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../../../core/contract/envelope.ts';
import { client } from '../../../client/api.ts';
import { failureText, leaveWhenExpired, toastSuccess } from '../../../client/failures.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { useHumanCheck } from '../../../components/human-check/use-human-check.tsx';
import { PhoneCodeField } from '../../../components/phone/phone-code-field.tsx';
import { SliderRow } from '../../../components/phone/slider-row.tsx';
import { useSlider } from '../../../components/phone/use-slider.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import { useRefreshSelf } from '../../../queries/use-invalidate.ts';
import classes from './bindings.module.css';

export function PhoneDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const refresh = useRefreshSelf();
  const human = useHumanCheck();
  const slider = useSlider();
  const [problem, setProblem] = useState<string>();
  const form = useForm({
    initialValues: { phone: '', code: '' },
    validate: {
      phone: (value) => (value.trim() === '' ? t('phone.number.missing') : null),
      code: (value) => (value.trim() === '' ? t('phone.code.missing') : null),
    },
  });
  const show = (error: unknown, text: string) => {
    if (leaveWhenExpired(error)) return;
    const code = error instanceof CallError ? error.code : undefined;
    if (code === 'phone_invalid' || code === 'phone_taken') form.setFieldError('phone', text);
    else if (code === 'verification_code_invalid') form.setFieldError('code', text);
    else setProblem(text);
  };
  const bind = useMutation({
    meta: { quiet: true },
    mutationFn: (values: { phone: string; code: string }) => client.phone.bind(values),
    onSuccess: async () => {
      await refresh();
      toastSuccess(t('phone.bound'));
      onClose();
    },
    onError: (error) => show(error, failureText(error)),
  });
  const submit = form.onSubmit(({ phone, code }) => {
    setProblem(undefined);
    bind.mutate({ phone: phone.trim(), code: code.trim() });
  });
  return (
    <Dialog
      opened
      onClose={onClose}
      size={420}
      centered
      closeButtonProps={{ 'aria-label': t('common.close') }}
      title={t('phone.bind.title')}
    >
      <form noValidate onSubmit={submit}>
        <TextInput
          type="tel"
          label={t('phone.number')}
          autoComplete="tel"
          size="md"
          data-autofocus
          {...form.getInputProps('phone')}
        />
        <Input.Wrapper mt={16} mb={16} label={t('slider.row')} labelElement="div">
          <SliderRow slider={slider} />
        </Input.Wrapper>
        <PhoneCodeField
          to={{ phone: form.values.phone.trim() }}
          human={human}
          before={(send) => {
            setProblem(undefined);
            if (!form.validateField('phone').hasError) slider.require(send);
          }}
          onFailure={show}
          {...form.getInputProps('code')}
        />
        {human.widget}
        {problem !== undefined && (
          <p className={classes.problem} role="alert">
            {problem}
          </p>
        )}
        <Group justify="flex-end" gap={8} mt={20}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={bind.isPending}>
            {t('identity.bind')}
          </Button>
        </Group>
      </form>
      {slider.dialog}
    </Dialog>
  );
}
