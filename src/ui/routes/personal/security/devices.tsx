/** Where the account is signed in, and ending it (docs/rules/accounts.md#signing-out). */
import { UnstyledButton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client } from '../../../client/api.ts';
import { toastSuccess } from '../../../client/failures.ts';
import { useUser } from '../../../client/session.ts';
import { confirmDanger } from '../../../components/confirm-danger.tsx';
import { FailedState, LoadingRows } from '../../../components/states.tsx';
import { StatusDot } from '../../../components/status-dot.tsx';
import { fullTime, useAgeText } from '../../../hooks/use-time-text.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { leaveAccount } from '../../../queries/leave-account.ts';
import { queryKeys } from '../../../queries/query-keys.ts';
import { describeDevice } from './describe-device.ts';
import classes from './security.module.css';

export function Devices() {
  const { t } = useTranslation();
  const ageText = useAgeText();
  const sessions = useQuery({
    queryKey: queryKeys.sessions(useUser()?.id),
    queryFn: () => client.session.list(),
  });
  const endOne = useMutation({
    mutationFn: (id: string) => client.session.end({ id }),
    onSuccess: () => toastSuccess(t('security.sessions.ended')),
    onSettled: () => sessions.refetch(),
  });
  const endOthers = useMutation({
    mutationFn: () => client.session.endAll({ except_current: true }),
    onSuccess: ({ ended }) => toastSuccess(t('security.sessions.others.done', { count: ended })),
    onSettled: () => sessions.refetch(),
  });
  const endAll = useMutation({
    mutationFn: () => client.session.endAll(),
    onSuccess: () => leaveAccount(t('security.sessions.all.done')),
  });
  const rows = sessions.data ?? [];
  const hasOthers = rows.some(({ current }) => !current);
  const askForAll = () =>
    confirmDanger({
      title: t('security.sessions.all.title'),
      text: t('security.sessions.all.text'),
      confirm: t('security.sessions.all'),
      onConfirm: () => endAll.mutate(),
    });
  return (
    <section aria-labelledby="personal-devices" className={classes.section}>
      <div className={classes.head}>
        <h2 id="personal-devices">{t('security.sessions')}</h2>
        <span className={classes.actions}>
          {hasOthers && (
            <UnstyledButton className={classes.link} onClick={() => endOthers.mutate()}>
              {t('security.sessions.others')}
            </UnstyledButton>
          )}
          {rows.length > 0 && (
            <UnstyledButton className={classes.link} onClick={askForAll}>
              {t('security.sessions.all')}
            </UnstyledButton>
          )}
        </span>
      </div>
      {sessions.data === undefined && sessions.isError && (
        <FailedState
          title={t('security.sessions.failed')}
          error={sessions.error}
          onRetry={() => void sessions.refetch()}
        />
      )}
      {sessions.isPending && <LoadingRows rows={2} height={48} />}
      <ul className={classes.rows}>
        {rows.map(
          ({
            id,
            user_agent: userAgent,
            ip,
            created_at: startedAt,
            last_seen: lastSeen,
            current,
          }) => {
            const device = describeDevice(userAgent) || t('security.sessions.unknown');
            return (
              <li key={id} className={classes.device}>
                <span className={classes.deviceName} title={userAgent}>
                  {device}
                  <small>
                    {t('security.sessions.started', { time: fullTime(startedAt).slice(0, 16) })}
                  </small>
                </span>
                <span className={classes.address}>{ip}</span>
                {current ? (
                  <span className={classes.here}>
                    <StatusDot tone="ok" label={t('security.sessions.current')} />
                  </span>
                ) : (
                  <span className={classes.seen}>
                    <span title={fullTime(lastSeen)}>{ageText(lastSeen)}</span>
                    <UnstyledButton
                      className={classes.link}
                      aria-label={t('security.sessions.end.of', { device, address: ip })}
                      onClick={() => endOne.mutate(id)}
                    >
                      {t('security.sessions.end')}
                    </UnstyledButton>
                  </span>
                )}
              </li>
            );
          },
        )}
      </ul>
    </section>
  );
}
