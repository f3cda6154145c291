/**
 * What stands in the header of the channel screen: actions on all channels, and how many are in
 * which state.
 */
import { ActionIcon, Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Ellipsis, Square, Trash2, Wallet, Workflow, Zap } from 'lucide-react';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { useRunQuestion } from '../../components/run-question.ts';
import { usePhone } from '../../hooks/use-phone.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useRefreshChannels } from '../../queries/use-invalidate.ts';
import { channelCount, useOverview } from '../../queries/use-overview.ts';
import type { ChannelRuns } from './use-channel-runs.tsx';

const enabledStates = ['cooling', 'failing', 'working', 'untested'] as const;

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
    mutationFn: async () =>
      (await import('./remove-disabled.ts')).removeDisabled({
        title: t('channel.removeDisabled.title'),
        refresh,
      }),
  });
  const { data: overview } = useOverview();
  const enabled = channelCount(overview, enabledStates);
  const tested = channelCount(overview, [...enabledStates, 'auto_disabled']);
  const askFirst = useRunQuestion('channels');
  const askForBalances = useRunQuestion('balances');
  const testAll = () => askFirst(tested ?? 0, () => runs.testAll.mutate());
  const isTesting = runs.tests !== undefined;
  return (
    <>
      {isTesting && <StopButton kind="tests" runs={runs} phone={phone} />}
      {runs.balances !== undefined && <StopButton kind="balances" runs={runs} phone={phone} />}
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
            <Menu.Item
              leftSection={<Zap size={14} />}
              disabled={tested === undefined}
              onClick={testAll}
            >
              {t('channel.testAll')}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<Wallet size={14} />}
            disabled={enabled === undefined || runs.balances !== undefined}
            onClick={() => askForBalances(enabled ?? 0, () => runs.updateAllBalances.mutate())}
          >
            {t('channel.balanceAll')}
          </Menu.Item>
          <Menu.Item leftSection={<Workflow size={14} />} onClick={() => fix.mutate()}>
            {t('channel.fix')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            c="var(--tp-red-text)"
            leftSection={<Trash2 size={14} />}
            disabled={!channelCount(overview, ['disabled', 'auto_disabled'])}
            onClick={() => removeDisabled.mutate()}
          >
            {t('channel.removeDisabled')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

interface StopButtonProps {
  readonly kind: 'tests' | 'balances';
  readonly runs: ChannelRuns;
  readonly phone: boolean;
}

/** On phones without a word, because the progress of the run needs the room. */
function StopButton({ kind, runs, phone }: StopButtonProps) {
  const { t } = useTranslation();
  const icon = <Square size={14} strokeWidth={1.75} />;
  const label = t(`channel.${kind}.stop`);
  const action = {
    variant: 'default',
    loading: runs.stop.isPending && runs.stop.variables === kind,
    onClick: () => runs.stop.mutate(kind),
  } as const;
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
  const { data: overview } = useOverview();
  const count = channelCount(overview);
  const enabled = channelCount(overview, enabledStates) ?? 0;
  const { disabled = 0, auto_disabled: autoDisabled = 0 } = overview?.channel_states ?? {};
  const counts = [
    t('channel.summary.enabled', { count: enabled }),
    ...(disabled > 0 ? [t('channel.summary.disabled', { count: disabled })] : []),
    ...(autoDisabled > 0 ? [t('channel.summary.autoDisabled', { count: autoDisabled })] : []),
  ];
  const progressOf = ({ done, total, failed }: NonNullable<ChannelRuns['tests']>) => ({
    done,
    total,
    failed,
  });
  const progress = [
    ...(runs.tests === undefined ? [] : [t('channel.testAll.progress', progressOf(runs.tests))]),
    ...(runs.balances === undefined
      ? []
      : [t('channel.balanceAll.progress', progressOf(runs.balances))]),
  ];
  const comma = t('channel.summary.comma');
  return {
    count,
    sentence: count
      ? `${counts.join(comma)}${t('channel.summary.stop')}${t('channel.summary.order')}`
      : undefined,
    progress: progress.length === 0 ? undefined : progress.join(comma),
  };
}
