/** The site's own footer, or the default sentence (docs/rules/console.md#shell). Operator HTML is sanitised before it is shown. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../i18n/index.ts';
import { queryKeys } from '../queries/query-keys.ts';
import { useStatus } from '../queries/use-status.ts';
import classes from './site-footer.module.css';

export function SiteFooter() {
  const { t } = useTranslation();
  const html = useStatus()?.footer_html ?? '';
  const { data: safe } = useQuery({
    queryKey: queryKeys.footer(html),
    queryFn: async () => (await import('../browser/sanitize-html.ts')).sanitizeHtml(html),
    enabled: html !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (html === '') return <footer className={classes.footer}>{t('shell.footer')}</footer>;
  if (safe === undefined) return <footer className={classes.footer} />;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised two lines above
  return <footer className={classes.footer} dangerouslySetInnerHTML={{ __html: safe }} />;
}
