/** The rate that the site's options give each user, beside the budgets. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { client } from '../../client/api.ts';
import { useIsRoot } from '../../client/session.ts';
import classes from '../../components/budgets/budgets.module.css';
import { useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';

export function SiteRateNote() {
  const { t } = useTranslation();
  const isRoot = useIsRoot();
  const { data } = useQuery({
    queryKey: queryKeys.budget.siteRate,
    queryFn: () => client.budgets.siteRate(),
    staleTime: 60_000,
    meta: { quiet: true },
  });
  if (data === null || data === undefined) return null;
  const { minutes, requests, successes } = data;
  return (
    <p className={classes.note}>
      {requests > 0
        ? t('budget.site', { minutes, requests, successes })
        : t('budget.site.successes', { minutes, successes })}{' '}
      {isRoot && <Link to="/setting?tab=ratelimit">{t('budget.site.change')}</Link>}
    </p>
  );
}
