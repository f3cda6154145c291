/** The question before something sensitive: who sits here is still the one who signed in (docs/rules/accounts.md#step-up). */
import { client } from '../../client/api.ts';
import { toastFailure } from '../../client/failures.ts';
import { loadTextPart, translate } from '../../i18n/index.ts';
import { openDialog } from '../dialogs.ts';
import classes from './factor-form.module.css';
import { FactorForm } from './factor-form.tsx';

/** Resolves with whether the user confirmed. */
export async function confirmIdentity(): Promise<boolean> {
  try {
    const [{ methods }] = await Promise.all([client.stepUp.methods(), loadTextPart('secondFactor')]);
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
            onConfirmed={() => {
              close();
              resolve(true);
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

function ConfirmForm({ methods, onConfirmed }: { readonly methods: readonly string[]; readonly onConfirmed: () => void }) {
  return (
    <div className={classes.form}>
      <p className={classes.lead}>{translate('factor.confirm.lead')}</p>
      <FactorForm
        methods={methods}
        submitLabel={translate('factor.confirm.submit')}
        passkeyOptions={() => client.stepUp.options()}
        prove={async (proof) => {
          await client.stepUp.confirm(proof);
          onConfirmed();
        }}
      />
    </div>
  );
}
