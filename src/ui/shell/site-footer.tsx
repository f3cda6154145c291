/**
 * The site's own footer, or the default sentence (docs/rules/console.md#shell). Markdown and HTML
 * of the operator are sanitised before they are shown.
 */
import { useQuery } from '@tanstack/react-query';
import { useForeignLabel } from '../components/foreign-label.ts';
import { currentLanguage, useTranslation } from '../i18n/index.ts';
import { queryKeys } from '../queries/query-keys.ts';
import { useStatus } from '../queries/use-status.ts';
import classes from './site-footer.module.css';

export function SiteFooter() {
  const { t } = useTranslation();
  const label = useForeignLabel();
  const html = useStatus()?.footer_html ?? '';
  const { data: safe } = useQuery({
    queryKey: queryKeys.content('footer', html, currentLanguage()),
    queryFn: async () =>
      (await import('../browser/site-content.ts')).renderContent(html, label, { inline: true }),
    enabled: html !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (html === '') return <footer className={classes.footer}>{t('shell.footer')}</footer>;
  if (safe === undefined) return <footer className={classes.footer} />;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by renderContent
  return <footer className={classes.footer} dangerouslySetInnerHTML={{ __html: safe }} />;
}
