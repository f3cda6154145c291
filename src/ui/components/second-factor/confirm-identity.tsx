/**
 * The question before something sensitive: who sits here is still the one who signed in
 * (docs/rules/accounts.md#step-up).
 */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { router } from '../../browser/router-handle.ts';
import { client } from '../../client/api.ts';
import { toastFailure } from '../../client/failures.ts';
import { forgetUser } from '../../client/session.ts';
import { loadTextPart, translate } from '../../i18n/index.ts';
import { openDialog } from '../dialogs.ts';
import classes from './factor-form.module.css';
import { FactorForm } from './factor-form.tsx';

/** Resolves with whether the user confirmed. */
export async function confirmIdentity(): Promise<boolean> {
  try {
    const [{ methods }] = await Promise.all([
      client.stepUp.methods(),
      loadTextPart('secondFactor'),
    ]);
    return await new Promise<boolean>((resolve) => {
      openDialog({
        title: translate('factor.confirm.title'),
        role: 'dialog',
        size: 420,
        withCloseButton: true,
        onDismiss: () => resolve(false),
        content: (close) => (
          <ConfirmForm
            methods={methods}
            onDone={(isConfirmed) => {
              close();
              resolve(isConfirmed);
            }}
          />
        ),
      });
    });
  } catch (error) {
    toastFailure(error);
    return false;
  }
}

interface ConfirmFormProps {
  /** None: only a new login proves who this is. */
  readonly methods: readonly string[];
  readonly onDone: (isConfirmed: boolean) => void;
}

function ConfirmForm({ methods, onDone }: ConfirmFormProps) {
  if (methods.length === 0) return <LogInAgain onLeave={() => onDone(false)} />;
  return (
    <div className={classes.form}>
      <p className={classes.lead}>{translate('factor.confirm.lead')}</p>
      <FactorForm
        methods={methods}
        submitLabel={translate('factor.confirm.submit')}
        passkeyOptions={() => client.stepUp.options()}
        prove={async (proof) => {
          await client.stepUp.confirm(proof);
          onDone(true);
        }}
      />
    </div>
  );
}

function LogInAgain({ onLeave }: { readonly onLeave: () => void }) {
  const leave = useMutation({
    mutationFn: () => client.auth.logout(),
    onSuccess: async () => {
      const { pathname } = router().state.location;
      onLeave();
      forgetUser();
      await router().navigate('/login', { replace: true, state: { from: pathname } });
    },
  });
  return (
    <div className={classes.form}>
      <p className={classes.lead}>{translate('factor.confirm.again')}</p>
      <Button data-autofocus loading={leave.isPending} onClick={() => leave.mutate()}>
        {translate('factor.confirm.logIn')}
      </Button>
    </div>
  );
}
