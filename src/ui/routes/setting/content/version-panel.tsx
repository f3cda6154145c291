/** Version, start time, and the look for a newer release. */
import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { client } from '../../../client/api.ts';
import { toastFailure, toastSuccess } from '../../../client/failures.ts';
import { openDialog } from '../../../components/dialogs.ts';
import { SiteContent } from '../../../components/site-content.tsx';
import panel from '../../../form/option-panel.module.css';
import { fullTime } from '../../../hooks/use-time-text.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { useStatus } from '../../../queries/use-status.ts';
import classes from './content.module.css';
import { isNewerVersion } from './newer-version.ts';

interface Release {
  readonly tag_name: string;
  readonly body: string;
}

function ReleaseNotes({
  release,
  running,
  onClose,
}: {
  release: Release;
  running: string;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <>
      <p>{t('content.update.current', { version: running })}</p>
      <div className={classes.notes}>
        {release.body.trim() === '' ? (
          <p className={classes.dim}>{t('content.update.noNotes')}</p>
        ) : (
          <SiteContent text={release.body} title={release.tag_name} />
        )}
      </div>
      <Group justify="flex-end" mt={20}>
        <Button data-autofocus onClick={onClose}>
          {t('common.close')}
        </Button>
      </Group>
    </>
  );
}

export function VersionPanel() {
  const { t } = useTranslation();
  const id = useId();
  const status = useStatus();
  const running = status?.version ?? '';
  const check = useMutation({
    mutationFn: () => client.system.latestRelease(),
    meta: { quiet: true },
    onSuccess: (release) => {
      if (!isNewerVersion(release.tag_name, running))
        return toastSuccess(t('content.update.latest', { version: running }));
      openDialog({
        title: t('content.update.title', { version: release.tag_name }),
        role: 'dialog',
        size: 640,
        withCloseButton: true,
        content: (close) => <ReleaseNotes release={release} running={running} onClose={close} />,
      });
    },
    onError: (error) => toastFailure(error, t('content.update.failed')),
  });
  return (
    <section className={panel.panel} aria-labelledby={id} id="other.system">
      <div className={panel.head}>
        <h2 id={id}>{t('content.system')}</h2>
      </div>
      <div>
        <dl className={classes.facts}>
          <dt>{t('content.system.version')}</dt>
          <dd>{running}</dd>
          <dt>{t('content.system.started')}</dt>
          <dd>{status === undefined ? '' : fullTime(status.start_time)}</dd>
        </dl>
        <Button
          variant="default"
          size="xs"
          loading={check.isPending}
          onClick={() => check.mutate()}
        >
          {t('content.update.check')}
        </Button>
      </div>
    </section>
  );
}
