/** Where the site loses money now (docs/rules/losses.md). */
import { useQuery } from '@tanstack/react-query';
import { client } from '../../client/api.ts';
import { useUser } from '../../client/session.ts';
import { minuteTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import classes from './margins.module.css';

export function Losses() {
  const { t } = useTranslation();
  const user = useUser();
  const { data = [] } = useQuery({
    queryKey: queryKeys.usage.losses(user?.id),
    queryFn: () => client.losses.list({}),
  });
  if (data.length === 0) return null;
  return (
    <section className={classes.losses} aria-label={t('detail.loss.title')}>
      <h3>{t('detail.loss.title')}</h3>
      <ul>
        {data.map(({ kind, channel, model, since, text }) => (
          <li key={`${kind} ${channel} ${model}`}>
            {text} {since > 0 && <time>{minuteTime(since)}</time>}
          </li>
        ))}
      </ul>
    </section>
  );
}
