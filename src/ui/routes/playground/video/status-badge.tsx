import type { Video } from '../../../../core/contract/video.ts';
import { StatusDot, type Tone } from '../../../components/status-dot.tsx';
import { type TextKey, useTranslation } from '../../../i18n/index.ts';

/** `SUBMITTED` is no state of videos, but older gateways may report it. */
const words: Readonly<
  Record<Video['status'] | 'SUBMITTED', { readonly label: TextKey; readonly tone: Tone }>
> = {
  SUCCESS: { label: 'taskLog.status.SUCCESS', tone: 'ok' },
  NOT_START: { label: 'taskLog.status.NOT_START', tone: 'off' },
  SUBMITTED: { label: 'taskLog.status.SUBMITTED', tone: 'yel' },
  IN_PROGRESS: { label: 'taskLog.status.IN_PROGRESS', tone: 'blu' },
  FAILURE: { label: 'taskLog.status.FAILURE', tone: 'red' },
  QUEUED: { label: 'taskLog.status.QUEUED', tone: 'org' },
  UNKNOWN: { label: 'taskLog.status.UNKNOWN', tone: 'off' },
};

export function StatusBadge({ status }: Pick<Video, 'status'>) {
  const { t } = useTranslation();
  const { label, tone } = words[status] ?? words.UNKNOWN;
  return <StatusDot tone={tone} label={t(label)} />;
}
