/** What stands in the header of the channel screen: actions on all channels, and how many are in which state. */
import { ActionIcon, Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Ellipsis, Square, Trash2, Wallet, Workflow, Zap } from 'lucide-react';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { confirmDanger } from '../../components/confirm-danger.tsx';
import { usePhone } from '../../hooks/use-phone.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useRefreshChannels } from '../../queries/use-invalidate.ts';
import { useOverview } from '../../queries/use-overview.ts';
import type { ChannelRuns } from './use-channel-runs.tsx';
import { useTestQuestion } from './use-test-question.ts';

export function ChannelHeaderActions({ runs }: { readonly runs: ChannelRuns }) {
  const { t } = useTranslation();
  const phone = usePhone();
  const refresh = useRefreshChannels();
  const fix = useMutation({
    mutationFn: () => client.channel.fix(),
    onSuccess: (count) => toastSuccess(t('channel.fix.done', { count })),
    onSettled: refresh,
  });
  const removeDisabled = useMutation({
    mutationFn: () => client.channel.removeDisabled(),
    onSuccess: (count) => toastSuccess(t('channel.removeDisabled.done', { count })),
    onSettled: refresh,
  });
  const channels = useOverview().data?.lanes;
  const tested = channels?.filter(({ status }) => status !== channelStatuses.disabled);
  const askFirst = useTestQuestion('channels');
  const testAll = () => askFirst(tested?.length ?? 0, () => runs.testAll.mutate());
  const isTesting = runs.tests !== undefined;
  return (
    <>
      {isTesting && <StopButton runs={runs} phone={phone} />}
      {!phone && !isTesting && (
        <Button
          variant="default"
          leftSection={<Zap size={16} strokeWidth={1.75} />}
          disabled={tested === undefined}
          loading={runs.testAll.isPending}
          onClick={testAll}
        >
          {t('channel.testAll')}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('common.more')}>
            <Ellipsis size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {phone && !isTesting && (
            <Menu.Item leftSection={<Zap size={14} />} disabled={tested === undefined} onClick={testAll}>
              {t('channel.testAll')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<Wallet size={14} />} onClick={() => runs.updateAllBalances.mutate()}>
            {t('channel.balanceAll')}
          </Menu.Item>
          <Menu.Item leftSection={<Workflow size={14} />} onClick={() => fix.mutate()}>
            {t('channel.fix')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            c="var(--tp-red-text)"
            leftSection={<Trash2 size={14} />}
            onClick={() =>
              confirmDanger({
                title: t('channel.removeDisabled.title'),
                text: t('channel.removeDisabled.text'),
                confirm: t('channel.removeDisabled.confirm'),
                onConfirm: () => removeDisabled.mutate(),
              })
            }
          >
            {t('channel.removeDisabled')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

/** On phones without a word, because the progress of the tests needs the room. */
function StopButton({ runs, phone }: { readonly runs: ChannelRuns; readonly phone: boolean }) {
  const { t } = useTranslation();
  const icon = <Square size={14} strokeWidth={1.75} />;
  const label = t('channel.tests.stop');
  const action = { variant: 'default', loading: runs.stopTests.isPending, onClick: () => runs.stopTests.mutate() } as const;
  return phone ? (
    <ActionIcon {...action} size={36} aria-label={label}>
      {icon}
    </ActionIcon>
  ) : (
    <Button {...action} leftSection={icon}>
      {label}
    </Button>
  );
}

/** How many channels there are, in which state, and how far a run over them is. */
export function useChannelSummary(runs: ChannelRuns) {
  const { t } = useTranslation();
  const channels = useOverview().data?.lanes;
  const countOf = (status: number) => channels?.filter((channel) => channel.status === status).length ?? 0;
  const [enabled, disabled, autoDisabled] = [
    countOf(channelStatuses.enabled),
    countOf(channelStatuses.disabled),
    countOf(channelStatuses.autoDisabled),
  ];
  const counts = [
    t('channel.summary.enabled', { count: enabled }),
    ...(disabled > 0 ? [t('channel.summary.disabled', { count: disabled })] : []),
    ...(autoDisabled > 0 ? [t('channel.summary.autoDisabled', { count: autoDisabled })] : []),
  ];
  const progressOf = ({ done, total, failed }: NonNullable<ChannelRuns['tests']>) => ({ done, total, failed });
  const progress = [
    ...(runs.tests === undefined ? [] : [t('channel.testAll.progress', progressOf(runs.tests))]),
    ...(runs.balances === undefined ? [] : [t('channel.balanceAll.progress', progressOf(runs.balances))]),
  ];
  const comma = t('channel.summary.comma');
  const hasChannels = channels !== undefined && channels.length > 0;
  return {
    count: channels?.length,
    sentence: hasChannels ? `${counts.join(comma)}${t('channel.summary.stop')}${t('channel.summary.order')}` : undefined,
    progress: progress.length === 0 ? undefined : progress.join(comma),
  };
}
