/** Charges by day, token and model of any range, as a file (docs/rules/usage-logs.md#activity). */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { client } from '../../client/api.ts';
import { toastFailure, toastSuccess } from '../../client/failures.ts';
import { saveFile } from '../../client/save-file.ts';
import { openDialog } from '../../components/dialogs.ts';
import { FieldRow } from '../../form/form-rows.tsx';
import { dateText } from '../../hooks/use-time-text.ts';
import { translate, useTranslation } from '../../i18n/index.ts';

interface ActivityDialogProps {
  /** Administrators choose whose; customers get their own. */
  readonly forAdmin: boolean;
  /** The user that the log's filters name; '': all. */
  readonly username: string;
}

export function openActivity(props: ActivityDialogProps): void {
  openDialog({
    title: translate('log.activity.title'),
    role: 'dialog',
    size: 440,
    withCloseButton: true,
    content: (close) => <Activity {...props} onClose={close} />,
  });
}

/** Midnight of a date `2026-11-03`, `days` later, where the viewer is; NaN: it is no date. */
function midnight(date: string, days = 0): number {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return date === '' ? Number.NaN : new Date(year, month - 1, day + days).getTime() / 1000;
}

function Activity({
  forAdmin,
  username,
  onClose,
}: ActivityDialogProps & { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const today = dateText(Date.now() / 1000);
  const [from, setFrom] = useState(`${today.slice(0, 8)}01`);
  const [to, setTo] = useState(today);
  const [user, setUser] = useState(username);
  const [isTried, setIsTried] = useState(false);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = midnight(from);
  const end = midnight(to, 1) - 1;
  const save = useMutation({
    meta: { quiet: true },
    mutationFn: async () => {
      const controller = new AbortController();
      running.current = controller;
      const file = await client.data.exportActivity({
        start_timestamp: start,
        end_timestamp: end,
        bom: true,
        zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        ...(forAdmin && { username: user.trim() }),
      });
      return (await saveFile(file, controller.signal)) ? file.name : undefined;
    },
    onSuccess: (name) => {
      if (name === undefined) return;
      toastSuccess(t('log.export.done', { name }));
      onClose();
    },
    onError: (error) => {
      if (running.current?.signal.aborted !== true) toastFailure(error, t('log.export.failed'));
    },
  });
  const missing = (at: number) => isTried && Number.isNaN(at) && t('log.activity.date.missing');
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setIsTried(true);
        if (end > start) save.mutate();
      }}
    >
      <Stack gap={16}>
        <Text size="sm" c="var(--tp-ink2)">
          {t('log.activity.text')}
        </Text>
        <FieldRow>
          <TextInput
            type="date"
            label={t('log.activity.from')}
            value={from}
            error={missing(start)}
            onChange={({ currentTarget }) => setFrom(currentTarget.value)}
            data-autofocus
          />
          <TextInput
            type="date"
            label={t('log.activity.to')}
            value={to}
            error={missing(end) || (isTried && end < start && t('log.activity.to.early'))}
            onChange={({ currentTarget }) => setTo(currentTarget.value)}
          />
        </FieldRow>
        {forAdmin && (
          <TextInput
            label={t('log.activity.user')}
            description={t('log.activity.user.hint')}
            value={user}
            onChange={({ currentTarget }) => setUser(currentTarget.value)}
          />
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('log.export.start')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
