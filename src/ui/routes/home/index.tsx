/**
 * `/`: the site's own home page, or the way into the console where there is none
 * (docs/rules/console.md#home-page).
 */
import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router';
import { homePath } from '../../browser/paths.ts';
import { client } from '../../client/api.ts';
import { SiteContent } from '../../components/site-content.tsx';
import { FailedState } from '../../components/states.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { useStatusQuery } from '../../queries/use-status.ts';
import classes from './home.module.css';

export function HomeScreen() {
  const { t } = useTranslation();
  const { data: status, isPlaceholderData, isError } = useStatusQuery();
  const exists = status?.has_home_page === true;
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.siteText('home'),
    queryFn: () => client.system.homePage(),
    enabled: exists,
  });
  // The copy of the status may be from before the page was written.
  if (isPlaceholderData && !isError && !exists) return null;
  if (!exists || data?.trim() === '') return <Navigate to={homePath} replace />;
  if (error !== null && data === undefined)
    return <FailedState title={t('content.failed')} error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  return (
    <div className={classes.page}>
      <SiteContent page text={data} title={t('shell.home')} />
    </div>
  );
}
