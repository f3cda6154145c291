/** The files of a message: pictures are seen, others named. */

import { useQuery } from '@tanstack/react-query';
import { FileText, ImageOff, Music, X } from 'lucide-react';
import { useUser } from '../../../client/session.ts';
import { IconButton } from '../../../components/icon-button.tsx';
import { usePhone } from '../../../hooks/use-phone.ts';
import { useTranslation } from '../../../i18n/index.ts';
import type { Attachment } from './attachment.ts';
import classes from './attachments.module.css';

interface AttachmentListProps {
  readonly attachments: readonly Attachment[];
  /** Where they can be taken out again. */
  readonly onRemove?: (id: string) => void;
}

export function AttachmentList({ attachments, onRemove }: AttachmentListProps) {
  const { t } = useTranslation();
  const size = usePhone() ? 44 : 24;
  return (
    <ul
      className={classes.list}
      data-sent={onRemove === undefined || undefined}
      aria-label={t('playground.attachments')}
    >
      {attachments.map((attachment) => (
        <li key={attachment.id} data-kind={attachment.kind}>
          {attachment.kind === 'image' ? <Picture {...attachment} /> : <Name {...attachment} />}
          {onRemove !== undefined && (
            <IconButton
              type="button"
              size={size}
              label={t('playground.attach.remove', { name: attachment.name })}
              onClick={() => onRemove(attachment.id)}
            >
              <X size={14} />
            </IconButton>
          )}
        </li>
      ))}
    </ul>
  );
}

function Name({ name, kind }: Attachment) {
  const Icon = kind === 'audio' ? Music : FileText;
  return (
    <>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      <span title={name}>{name}</span>
    </>
  );
}

function Picture({ id, name }: Attachment) {
  const { t } = useTranslation();
  const user = useUser();
  const { data } = useQuery({
    queryKey: ['attachment', user?.id, id],
    queryFn: async () => {
      const { findFile } = await import('./file-box.ts');
      return (await findFile(user?.id ?? 0, id))?.content ?? '';
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    meta: { silent: true },
  });
  if (data === undefined) return <span className={classes.picture} />;
  if (data !== '') return <img className={classes.picture} src={data} alt={name} />;
  return (
    <>
      <ImageOff size={16} strokeWidth={1.75} aria-hidden="true" />
      <span>{t('playground.attach.gone', { name })}</span>
    </>
  );
}
