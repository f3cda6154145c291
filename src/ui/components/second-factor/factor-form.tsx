/**
 * How one proves to be oneself: a code, a passkey or the password. The second step of the login and
 * confirmations show it.
 */
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { CallError } from '../../../core/contract/envelope.ts';
import { failureText } from '../../client/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { askForPasskey, wasLeft } from './browser-passkey.ts';
import classes from './factor-form.module.css';

export interface FactorProof {
  readonly code?: string;
  readonly password?: string;
  readonly passkey?: Record<string, unknown>;
}

interface FactorFormProps {
  /** What the server offers: `totp`, `passkey`, `recovery`, `password`. */
  readonly methods: readonly string[];
  readonly submitLabel: string;
  readonly passkeyOptions: () => Promise<Record<string, unknown>>;
  /** Sends the proof. What it throws is shown here. */
  readonly prove: (proof: FactorProof) => Promise<void>;
}

export function FactorForm({ methods, submitLabel, passkeyOptions, prove }: FactorFormProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [missing, setMissing] = useState(false);
  const withPassword = methods.includes('password');
  const withTotp = methods.includes('totp');
  const withPasskey = methods.includes('passkey') && 'PublicKeyCredential' in window;
  const send = useMutation({
    meta: { quiet: true },
    mutationFn: (proof: FactorProof) => prove(proof),
    // Refused: another one is needed. Where it was not read, it stays.
    onError: (error) => {
      if (error instanceof CallError && error.status === 200) setText('');
    },
  });
  const passkey = useMutation({
    meta: { quiet: true },
    mutationFn: async () => prove({ passkey: await askForPasskey(await passkeyOptions()) }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    passkey.reset();
    setMissing(text.trim() === '');
    if (text.trim() !== '') send.mutate(withPassword ? { password: text } : { code: text });
  };
  const write = (value: string) => {
    setText(value);
    setMissing(false);
  };
  const failure = send.error ?? passkey.error;
  const problem = () => {
    if (missing) return t(withPassword ? 'factor.password.missing' : 'factor.code.missing');
    if (failure === null) return undefined;
    return wasLeft(failure) ? t('factor.passkey.left') : failureText(failure);
  };
  const message = problem();
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {withPasskey && (
        <>
          <Button
            variant={withTotp ? 'default' : 'filled'}
            leftSection={<Fingerprint size={18} />}
            loading={passkey.isPending}
            onClick={() => {
              send.reset();
              passkey.mutate();
            }}
          >
            {t('factor.passkey.use')}
          </Button>
          <p className={classes.or}>{t('factor.or')}</p>
        </>
      )}
      {withPassword ? (
        <PasswordInput
          label={t('factor.password')}
          autoComplete="current-password"
          data-autofocus
          value={text}
          visibilityToggleButtonProps={{ 'aria-label': t('factor.password.show') }}
          onChange={(event) => write(event.currentTarget.value)}
        />
      ) : (
        <TextInput
          label={t(withTotp ? 'factor.code' : 'factor.recovery')}
          description={withTotp ? t('factor.code.hint') : undefined}
          autoComplete="one-time-code"
          autoCapitalize="off"
          spellCheck={false}
          data-autofocus
          autoFocus
          value={text}
          onChange={(event) => write(event.currentTarget.value)}
        />
      )}
      {message !== undefined && (
        <p className={classes.problem} role="alert">
          {message}
        </p>
      )}
      <Button
        type="submit"
        variant={withPasskey && !withTotp ? 'default' : 'filled'}
        loading={send.isPending}
      >
        {submitLabel}
      </Button>
    </form>
  );
}
