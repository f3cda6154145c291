/**
 * A picture, music or a video by its address: a file of this gateway at once, one of another site after a click and through the
 * gateway, so that the other site does not learn who looks (docs/rules/console.md#foreign-files).
 */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import '../browser/foreign-content.css';
import type { ForeignKind } from '../browser/foreign-content.ts';
import { shownFile } from '../browser/shown-file.ts';
import { client } from '../client/api.ts';
import { useTranslation } from '../i18n/index.ts';
import { queryKeys } from '../queries/query-keys.ts';
import { useForeignLabel } from './foreign-label.ts';

/** The path at which the gateway passes the file on; undefined while it is not known. */
function useForeignPath(href: string | undefined) {
  return useQuery({
    queryKey: queryKeys.foreignFile(href ?? ''),
    queryFn: async () => (await client.files.showForeign({ address: href ?? '' })).url,
    enabled: href !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

interface ShownFileProps {
  readonly address: string;
  readonly kind: ForeignKind;
  /** What the reader asked for by other means, such as an image that was ordered, is not asked about again. */
  readonly asked?: boolean;
  /** In the place of what cannot be shown; absent: a link to it, where there is one. */
  readonly fallback?: ReactNode;
  /** While a file that was `asked` for is on its way. */
  readonly waiting?: ReactNode;
  /** Draws the file. `onBroken` is told that it could not be loaded. */
  readonly children: (src: string, onBroken: () => void) => ReactNode;
}

export function ShownFile({ address, kind, asked = false, fallback, waiting, children }: ShownFileProps) {
  const label = useForeignLabel();
  const [isAsked, ask] = useState(asked);
  const [broken, setBroken] = useState('');
  const file = shownFile(address);
  const foreign = file?.kind === 'foreign' ? file : undefined;
  const { data, isError } = useForeignPath(isAsked ? foreign?.href : undefined);
  const src = file?.kind === 'own' ? file.src : data;
  if (file === undefined) return fallback ?? null;
  if (isError || (src !== undefined && broken === src)) {
    if (fallback !== undefined || foreign === undefined) return fallback ?? null;
    return <Unavailable href={foreign.href} label={label(kind, foreign.host)} />;
  }
  if (src !== undefined) return children(src, () => setBroken(src));
  if (foreign === undefined || asked) return waiting ?? null;
  return (
    <button type="button" data-foreign={kind} aria-busy={isAsked} disabled={isAsked} onClick={() => ask(true)}>
      {label(kind, foreign.host)}
    </button>
  );
}

function Unavailable({ href, label }: { readonly href: string; readonly label: string }) {
  const { t } = useTranslation();
  return (
    <a data-foreign="" href={href} target="_blank" rel="noopener noreferrer">
      {label} · {t('common.foreign.unavailable')}
    </a>
  );
}
