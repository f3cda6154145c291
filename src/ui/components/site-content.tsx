/**
 * A text of the site's operator, drawn as what it is: Markdown with HTML, a document, or a framed
 * page. No script of it runs here.
 */
import { useQuery } from '@tanstack/react-query';
import { contentKind, frameSandbox } from '../browser/content-kind.ts';
import { currentLanguage } from '../i18n/index.ts';
import { queryKeys } from '../queries/query-keys.ts';
import { useForeignLabel } from './foreign-label.ts';
import classes from './site-content.module.css';

interface SiteContentProps {
  readonly text: string;
  /** Names a frame for screen readers. */
  readonly title: string;
  /** Frames fill the height of the page. */
  readonly page?: boolean;
}

export function SiteContent({ text, title, page = false }: SiteContentProps) {
  const kind = contentKind(text);
  const label = useForeignLabel();
  const { data: safe } = useQuery({
    queryKey: queryKeys.content(kind, text, currentLanguage()),
    queryFn: async () => {
      const { renderContent, renderDocument } = await import('../browser/site-content.ts');
      return kind === 'document' ? renderDocument(text, label) : renderContent(text, label);
    },
    enabled: kind === 'document' || kind === 'text',
    staleTime: Number.POSITIVE_INFINITY,
  });
  const frame = {
    title,
    className: classes.frame,
    'data-page': page || undefined,
    referrerPolicy: 'no-referrer',
  } as const;
  if (kind === 'address') {
    const address = text.trim();
    return (
      <iframe {...frame} src={address} sandbox={frameSandbox(address, window.location.origin)} />
    );
  }
  if (safe === undefined) return null;
  if (kind === 'document')
    return (
      <iframe {...frame} srcDoc={safe} sandbox="allow-popups allow-popups-to-escape-sandbox" />
    );
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by renderContent
  return <div className={classes.content} dangerouslySetInnerHTML={{ __html: safe }} />;
}
