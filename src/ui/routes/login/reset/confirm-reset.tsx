import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { CallError } from '../../../../core/contract/envelope.ts';
import { client } from '../../../client/api.ts';
import { forgetUser } from '../../../client/session.ts';
import { useCopy } from '../../../components/use-copy.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import classes from '../login.module.css';
import { ResetProblem } from './reset-problem.tsx';

export function ConfirmReset({ email, token }: { email: string; token: string }) {
  const { t } = useTranslation();
  const { copy, copied } = useCopy();
  const reset = useMutation({
    mutationFn: async () => {
      const password = await client.auth.reset({ email, token });
      // The login of this browser ended with the others.
      forgetUser();
      return { password, isCopied: await copy(password) };
    },
    meta: { quiet: true },
  });
  if (reset.data !== undefined) {
    const { password, isCopied } = reset.data;
    return (
      <>
        <p className={classes.lead} role="status">
          {t(isCopied ? 'reset.done.copied' : 'reset.done')}
        </p>
        <code className={classes.newPassword}>{password}</code>
        <div className={classes.fields}>
          <Button variant="default" size="md" fullWidth onClick={() => void copy(password)}>
            {t(copied ? 'reset.copied' : 'reset.copy')}
          </Button>
          <Button component={Link} to="/login" size="md" fullWidth>
            {t('reset.logIn')}
          </Button>
        </div>
      </>
    );
  }
  const isVoid = reset.error instanceof CallError && reset.error.code === 'reset_link_invalid';
  return (
    <>
      <p className={classes.lead}>{t('reset.confirm.lead')}</p>
      <ResetProblem error={reset.error} />
      <div className={classes.fields}>
        <TextInput label={t('reset.email')} value={email} readOnly size="md" />
        {isVoid ? (
          <Button component={Link} to="/reset" size="md" fullWidth>
            {t('reset.newLink')}
          </Button>
        ) : (
          <Button size="md" fullWidth loading={reset.isPending} onClick={() => reset.mutate()}>
            {t('reset.confirm')}
          </Button>
        )}
      </div>
    </>
  );
}
