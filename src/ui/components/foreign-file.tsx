/**
 * A file of another site: a button that names its host, then the file, or a link to it where the
 * gateway cannot get it.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import '../browser/foreign-content.css';
import { client } from '../client/api.ts';
import { useTranslation } from '../i18n/index.ts';
import { queryKeys } from '../queries/query-keys.ts';
import { useForeignLabel } from './foreign-label.ts';
import type { ShownFileProps } from './shown-file.tsx';

interface ForeignFileProps extends Omit<ShownFileProps, 'address'> {
  readonly href: string;
  readonly host: string;
}

export function ForeignFile({
  href,
  host,
  kind,
  loadsAtOnce = false,
  fallback,
  waiting = null,
  children,
}: ForeignFileProps) {
  const { t } = useTranslation();
  const label = useForeignLabel()(kind, host);
  const [isWanted, want] = useState(loadsAtOnce);
  const [broken, setBroken] = useState('');
  const { data, isError } = useQuery({
    queryKey: queryKeys.foreignFile(href),
    queryFn: async () => (await client.files.showForeign({ address: href })).url,
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
  // Another place on the page may have shown it already.
  const src = isWanted ? data : undefined;
  if (isError || (src !== undefined && broken === src))
    return (
      fallback ?? (
        <a data-foreign="" href={href} target="_blank" rel="noopener noreferrer">
          {label} · {t('common.foreign.unavailable')}
        </a>
      )
    );
  if (src !== undefined) return children(src, () => setBroken(src));
  if (loadsAtOnce) return waiting;
  return (
    <button
      type="button"
      data-foreign={kind}
      aria-busy={isWanted}
      disabled={isWanted}
      onClick={() => want(true)}
    >
      {label}
    </button>
  );
}
