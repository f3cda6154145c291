/**
 * Tests and balances of all channels run in the server's background: how far they are, and how they
 * ended.
 */
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { useRefreshChannels } from '../../queries/use-invalidate.ts';
import classes from './channel.module.css';

type Runs = Awaited<ReturnType<typeof client.channelRuns.get>>;
type Run = Runs[keyof Runs];

const pollMs = 1000;

export function useChannelRuns({ onShowFailed }: { readonly onShowFailed: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const refresh = useRefreshChannels();
  /** The runs that were running when they were last read. */
  const underWay = useRef<Partial<Record<keyof Runs, boolean>>>({});

  /** The failed ones are a click away. */
  const showTestOutcome = ({ total, done, failed }: Run) => {
    const ok = done - failed;
    const text =
      done < total
        ? t('channel.testAll.stopped', { done, total, failed })
        : t('channel.testAll.ended', { ok, failed });
    if (failed === 0) return toastSuccess(text);
    const id = 'channel-tests';
    const show = () => {
      onShowFailed();
      notifications.hide(id);
    };
    const message = (
      <span className={classes.outcome}>
        <span>{text}</span>
        <button type="button" onClick={show}>
          {t('channel.testAll.showFailed')}
        </button>
      </span>
    );
    notifications.show({ id, message, autoClose: 10_000, role: 'status' });
  };
  const balanceOutcome = ({ total, done, failed }: Run) =>
    done < total
      ? t('channel.balanceAll.stopped', { done, total, failed })
      : t('channel.balanceAll.ended', { ok: done - failed, failed });
  const showOutcome = (kind: keyof Runs, run: Run) => {
    if (run.total === 0) toastSuccess(t('channel.run.nothing'));
    else if (kind === 'tests') showTestOutcome(run);
    else toastSuccess(balanceOutcome(run));
    void refresh();
  };
  const { data } = useQuery({
    queryKey: queryKeys.channel.runs,
    queryFn: async () => {
      const runs = await client.channelRuns.get();
      for (const kind of ['tests', 'balances'] as const) {
        if (!runs[kind].running && underWay.current[kind] === true) showOutcome(kind, runs[kind]);
        underWay.current[kind] = runs[kind].running;
      }
      return runs;
    },
    refetchInterval: ({ state }) =>
      state.data?.tests.running || state.data?.balances.running ? pollMs : false,
  });
  const begin = async (kind: keyof Runs, call: Promise<unknown>) => {
    await call;
    // A short run may have ended before it is read for the first time: its end is shown all the
    // same.
    underWay.current[kind] = true;
    await queryClient.invalidateQueries({ queryKey: queryKeys.channel.runs });
  };
  return {
    tests: data?.tests.running === true ? data.tests : undefined,
    balances: data?.balances.running === true ? data.balances : undefined,
    testAll: useMutation({ mutationFn: () => begin('tests', client.channel.testAll()) }),
    testSome: useMutation({
      mutationFn: (ids: readonly number[]) =>
        begin('tests', client.channel.testMany({ ids: [...ids] })),
    }),
    stop: useMutation({
      mutationFn: (kind: keyof Runs) =>
        kind === 'tests' ? client.channelRuns.stopTests() : client.channelRuns.stopBalances(),
      onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.channel.runs }),
    }),
    updateAllBalances: useMutation({
      mutationFn: () => begin('balances', client.channel.updateAllBalances()),
    }),
  };
}
export type ChannelRuns = ReturnType<typeof useChannelRuns>;
