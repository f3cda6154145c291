/** Login by a code sent to a phone (docs/rules/console.md#login-screen). */
import { Button, Input, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../../core/contract/envelope.ts';
import { homePrefix } from '../../../core/kernel/phone-number.ts';
import { removeStored, storageKeys } from '../../browser/local-storage.ts';
import { client } from '../../client/api.ts';
import type { HumanCheck } from '../../components/human-check/use-human-check.tsx';
import { PhoneCodeField } from '../../components/phone/phone-code-field.tsx';
import { SliderRow } from '../../components/phone/slider-row.tsx';
import { useSlider } from '../../components/phone/use-slider.tsx';
import { useTranslation } from '../../i18n/index.ts';
import classes from './login.module.css';
import { LoginProblem } from './login-problem.tsx';
import { storedInvite } from './stored-invite.ts';
import { useLoginFailure, useSignIn } from './use-sign-in.ts';

export function PhoneLogin({ human }: { readonly human: HumanCheck }) {
  const { t } = useTranslation();
  const signIn = useSignIn();
  const failure = useLoginFailure();
  const slider = useSlider();
  const [problem, setProblem] = useState<string>();
  const form = useForm({
    initialValues: { phone: '', code: '' },
    validate: {
      phone: (value) => (value.trim() === '' ? t('phone.number.missing') : null),
      code: (value) => (value.trim() === '' ? t('phone.code.missing') : null),
    },
  });
  const { phone } = form.values;
  const show = (error: unknown, text: string) => {
    const field = error instanceof CallError ? error.field : undefined;
    const isCode = error instanceof CallError && error.code === 'verification_code_invalid';
    if (field === 'phone' || isCode) form.setFieldError(isCode ? 'code' : 'phone', text);
    else setProblem(text);
  };
  const login = useMutation({
    meta: { quiet: true },
    mutationFn: async (values: { phone: string; code: string }) => {
      const reply = await human.run((turnstile) =>
        client.public.login({ ...values, aff: storedInvite(), ...turnstile }),
      );
      removeStored(storageKeys.invite);
      await signIn(reply.token);
    },
    onError: (error) => show(error, failure(error)),
  });
  const submit = form.onSubmit((values) => {
    setProblem(undefined);
    login.mutate({ phone: values.phone.trim(), code: values.code.trim() });
  });
  return (
    <>
      <LoginProblem text={problem} />
      <form noValidate onSubmit={submit}>
        <TextInput
          type="tel"
          label={t('phone.number')}
          autoComplete="tel"
          autoFocus
          size="md"
          leftSection={/^\s*(\+|00)/.test(phone) ? undefined : homePrefix}
          leftSectionWidth={52}
          {...form.getInputProps('phone')}
        />
        <Input.Wrapper mt={16} label={t('slider.row')} labelElement="div">
          <SliderRow slider={slider} />
        </Input.Wrapper>
        <div className={classes.code}>
          <PhoneCodeField
            to={{ phone: phone.trim() }}
            human={human}
            before={(send) => {
              setProblem(undefined);
              if (!form.validateField('phone').hasError) slider.require(send);
            }}
            onFailure={show}
            {...form.getInputProps('code')}
          />
        </div>
        <Button mt={20} type="submit" fullWidth size="md" loading={login.isPending}>
          {t('login.submit')}
        </Button>
      </form>
      {slider.dialog}
    </>
  );
}
