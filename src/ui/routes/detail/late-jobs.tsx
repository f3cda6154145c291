/** Background jobs that are late, and on demand what keeps each from ending. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../client/api.ts';
import { failureText } from '../../client/failures.ts';
import { useUser } from '../../client/session.ts';
import { minuteTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import classes from './inbox.module.css';

export function LateJobs({ names }: { readonly names: readonly string[] }) {
  const { t } = useTranslation();
  const user = useUser();
  const [open, setOpen] = useState(false);
  const { data, error } = useQuery({
    queryKey: queryKeys.jobs(user?.id),
    queryFn: () => client.jobs.list({}),
    enabled: open,
  });
  const reasons = (data ?? [])
    .filter(({ name }) => names.includes(name))
    .map(({ name, running, last_error: failure, last_started_at: started }) => ({
      name,
      text:
        failure !== ''
          ? failure
          : t(running ? 'detail.inbox.jobs.running' : 'detail.inbox.jobs.waiting', {
              time: started > 0 ? minuteTime(started) : t('detail.inbox.jobs.never'),
            }),
    }));
  return (
    <>
      {t('detail.lateJobs', { names: names.join(t('detail.state.comma')) })}{' '}
      {!open && (
        <button type="button" onClick={() => setOpen(true)}>
          {t('detail.inbox.jobs.why')}
        </button>
      )}
      {error !== null && <span role="alert"> {failureText(error)}</span>}
      {reasons.length > 0 && (
        <dl className={classes.reasons}>
          {reasons.map(({ name, text }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
