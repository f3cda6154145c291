/** What the operator says about the site; administrators see which version it runs. */
import { useQuery } from '@tanstack/react-query';
import { contentKind } from '../../browser/content-kind.ts';
import { client } from '../../client/api.ts';
import { useIsAdmin, useIsRoot } from '../../client/session.ts';
import { PageHeader } from '../../components/page.tsx';
import { SiteContent } from '../../components/site-content.tsx';
import { EmptyState, FailedState, LoadingRows } from '../../components/states.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { useStatus } from '../../queries/use-status.ts';
import classes from './about.module.css';

export function AboutScreen() {
  const { t } = useTranslation();
  const version = useStatus()?.version;
  const isAdmin = useIsAdmin();
  const isRoot = useIsRoot();
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.siteText('about'),
    queryFn: () => client.system.about(),
  });
  const kind = contentKind(data ?? '');
  const isFramed = kind === 'address' || kind === 'document';
  return (
    <div className={classes.page}>
      {!isFramed && (
        <PageHeader
          title={t('shell.about')}
          sentence={
            isAdmin && version !== undefined ? t('content.version', { version }) : undefined
          }
        />
      )}
      {data !== undefined ? (
        kind === 'empty' ? (
          <EmptyState
            title={t('content.about.empty')}
            text={isRoot ? t('content.about.empty.root') : t('content.about.empty.text')}
          />
        ) : (
          <div className={isFramed ? classes.frame : classes.text}>
            <SiteContent page text={data} title={t('shell.about')} />
          </div>
        )
      ) : error === null ? (
        <LoadingRows rows={6} height={42} />
      ) : (
        <FailedState title={t('content.failed')} error={error} onRetry={() => void refetch()} />
      )}
    </div>
  );
}
