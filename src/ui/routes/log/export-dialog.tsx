/** Exports what the filters select, with progress; leaving the dialog cancels it. */
import { Button, Checkbox, Group, Progress, Radio, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { formatCount } from '../../../core/pricing/format.ts';
import { client } from '../../client/api.ts';
import { toastFailure, toastSuccess } from '../../client/failures.ts';
import { saveFile } from '../../client/save-file.ts';
import { openDialog } from '../../components/dialogs.ts';
import { translate, useTranslation } from '../../i18n/index.ts';
import type { LogQuery } from './use-logs.ts';

export function openExport(filters: LogQuery): void {
  openDialog({
    title: translate('log.export.title'),
    role: 'dialog',
    size: 440,
    withCloseButton: true,
    content: (close) => <Export filters={filters} onClose={close} />,
  });
}

interface Progressed {
  readonly rows: number;
  readonly total: number | undefined;
}

function Export({
  filters,
  onClose,
}: {
  readonly filters: LogQuery;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const [format, setFormat] = useState<'csv' | 'jsonl'>('csv');
  const [bom, setBom] = useState(true);
  const [progress, setProgress] = useState<Progressed>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const start = async () => {
    const controller = new AbortController();
    running.current = controller;
    setProgress({ rows: 0, total: undefined });
    try {
      const file = await client.log.export({ ...filters, format, bom: format === 'csv' && bom });
      const isSaved = await saveFile(file, controller.signal, (rows) =>
        setProgress({ rows, total: file.total }),
      );
      if (isSaved) toastSuccess(t('log.export.done', { name: file.name }));
      if (isSaved) onClose();
    } catch (error) {
      if (!controller.signal.aborted) toastFailure(error, t('log.export.failed'));
      setProgress(undefined);
    }
  };
  if (progress !== undefined) return <Running progress={progress} onCancel={onClose} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <Stack gap={16}>
        <Text size="sm" c="var(--tp-ink2)">
          {t('log.export.text')}
        </Text>
        <Radio.Group
          label={t('log.export.format')}
          value={format}
          onChange={(next) => setFormat(next === 'jsonl' ? 'jsonl' : 'csv')}
        >
          <Stack gap={8} mt={8}>
            <Radio value="csv" label={t('log.export.csv')} data-autofocus />
            <Radio value="jsonl" label={t('log.export.jsonl')} />
          </Stack>
        </Radio.Group>
        {format === 'csv' && (
          <Checkbox
            label={t('log.export.bom')}
            checked={bom}
            onChange={(event) => setBom(event.currentTarget.checked)}
          />
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit">{t('log.export.start')}</Button>
        </Group>
      </Stack>
    </form>
  );
}

function Running({
  progress: { rows, total },
  onCancel,
}: {
  readonly progress: Progressed;
  readonly onCancel: () => void;
}) {
  const { t } = useTranslation();
  const share = total ? Math.min(100, (rows / total) * 100) : 0;
  const text =
    total === undefined
      ? t('log.export.starting')
      : t('log.export.progress', {
          rows: formatCount(Math.min(rows, total)),
          total: formatCount(total),
        });
  return (
    <Stack gap={12}>
      <Progress value={share} aria-label={t('log.export.label')} animated />
      <Text size="sm" c="var(--tp-ink2)" role="status">
        {text}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" data-autofocus onClick={onCancel}>
          {t('common.cancel')}
        </Button>
      </Group>
    </Stack>
  );
}
