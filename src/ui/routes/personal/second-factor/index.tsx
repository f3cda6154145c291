/**
 * Two-step login: authenticator app, passkeys, recovery codes
 * (docs/rules/console.md#second-factor-panel).
 */
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldAlert } from 'lucide-react';
import { Suspense, useState } from 'react';
import { isAdmin } from '../../../../core/vocabulary/roles.ts';
import { client } from '../../../client/api.ts';
import { toastSuccess } from '../../../client/failures.ts';
import { latePart } from '../../../client/late-part.ts';
import { useUser } from '../../../client/session.ts';
import { confirmDanger } from '../../../components/confirm-danger.tsx';
import { FailedState, LoadingRows } from '../../../components/states.tsx';
import { ValueTag } from '../../../components/tag.tsx';
import { dateText } from '../../../hooks/use-time-text.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { queryKeys } from '../../../queries/query-keys.ts';
import { PasskeyRows } from './passkey-rows.tsx';
import classes from './second-factor.module.css';

/** The account's second factors, and how to read them again. */
function useFactors() {
  const queryKey = queryKeys.secondFactor(useUser()?.id);
  const queries = useQueryClient();
  const query = useQuery({ queryKey, queryFn: () => client.secondFactor.get() });
  return { ...query, refresh: () => queries.invalidateQueries({ queryKey }) };
}

const TotpDialog = latePart(async () => ({
  default: (await import('./totp-dialog.tsx')).TotpDialog,
}));
const RecoveryDialog = latePart(async () => ({
  default: (await import('./recovery-dialog.tsx')).RecoveryDialog,
}));

export function SecondFactorPanel() {
  const { t } = useTranslation();
  const user = useUser();
  const { data, isError, error, refetch, refresh } = useFactors();
  const [setup, setSetup] = useState<{ secret: string; uri: string }>();
  const [codes, setCodes] = useState<readonly string[]>([]);
  const begin = useMutation({
    mutationFn: () => client.secondFactor.beginTotp(),
    onSuccess: setSetup,
  });
  const remove = useMutation({
    mutationFn: () => client.secondFactor.removeTotp(),
    onSuccess: async () => {
      await refresh();
      toastSuccess(t('factor.totp.removed'));
    },
  });
  const renew = useMutation({
    mutationFn: () => client.secondFactor.renewRecoveryCodes(),
    onSuccess: async ({ recovery_codes }) => {
      setCodes(recovery_codes);
      await refresh();
    },
  });
  if (isError && data === undefined)
    return <FailedState title={t('factor.failed')} error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingRows rows={3} height={56} />;

  const isOn = data.totp_since !== null || data.passkeys.length > 0;
  const added = async (recoveryCodes: readonly string[], message: string) => {
    await refresh();
    toastSuccess(message);
    setCodes(recoveryCodes);
  };
  const askRemove = () =>
    confirmDanger({
      title: t('factor.totp.remove.title'),
      text: t('factor.totp.remove.text'),
      confirm: t('factor.totp.remove'),
      onConfirm: () => remove.mutate(),
    });
  const askRenew = () =>
    confirmDanger({
      title: t('factor.codes.renew.title'),
      text: t('factor.codes.renew.text'),
      confirm: t('factor.codes.renew'),
      mild: true,
      onConfirm: () => renew.mutate(),
    });
  return (
    <section className={classes.section} aria-labelledby="second-factor">
      <div className={classes.head}>
        <h2 id="second-factor">{t('factor.title')}</h2>
        <ValueTag tone={isOn ? 'ok' : 'off'}>{t(isOn ? 'factor.on' : 'factor.off')}</ValueTag>
      </div>
      <p className={classes.lead}>{t('factor.lead')}</p>
      {!isOn && user !== null && isAdmin(user.role) && (
        <p className={classes.urge} role="note">
          <ShieldAlert size={16} aria-hidden="true" />
          {t(data.required ? 'factor.required' : 'factor.urge')}
        </p>
      )}
      <ul className={classes.rows}>
        <li className={classes.row}>
          <div>
            <h3>{t('factor.totp')}</h3>
            <p>
              {data.totp_since === null
                ? t('factor.totp.hint')
                : t('factor.totp.since', { date: dateText(data.totp_since) })}
            </p>
          </div>
          <div className={classes.actions}>
            {data.totp_since === null ? (
              <Button variant="default" loading={begin.isPending} onClick={() => begin.mutate()}>
                {t('factor.totp.add')}
              </Button>
            ) : (
              <Button variant="default" loading={remove.isPending} onClick={askRemove}>
                {t('factor.totp.remove')}
              </Button>
            )}
          </div>
        </li>
        <PasskeyRows factors={data} onChanged={refresh} onAdded={added} />
        {isOn && (
          <li className={classes.row}>
            <div>
              <h3>
                {t('factor.codes')} · {t('factor.codes.left', { count: data.recovery_codes_left })}
              </h3>
              <p>{t('factor.codes.hint')}</p>
            </div>
            <div className={classes.actions}>
              <Button variant="default" loading={renew.isPending} onClick={askRenew}>
                {t('factor.codes.renew')}
              </Button>
            </div>
          </li>
        )}
      </ul>
      <Suspense fallback={null}>
        {setup !== undefined && (
          <TotpDialog
            {...setup}
            onClose={() => setSetup(undefined)}
            onDone={async (recoveryCodes) => {
              setSetup(undefined);
              await added(recoveryCodes, t('factor.totp.done'));
            }}
          />
        )}
        {codes.length > 0 && <RecoveryDialog codes={codes} onClose={() => setCodes([])} />}
      </Suspense>
    </section>
  );
}
