/** Testing one channel and reading its balance. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { CallError } from '../../../core/contract/envelope.ts';
import { formatBalance } from '../../../core/pricing/format-sums.ts';
import { client } from '../../client/api.ts';
import { toastFailure, toastSuccess } from '../../client/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useRefreshChannels } from '../../queries/use-invalidate.ts';

export function useChannelTests() {
  const { t } = useTranslation();
  const refresh = useRefreshChannels();
  const [running, setRunning] = useState<ReadonlySet<number>>(new Set());
  const mark = (id: number, on: boolean) =>
    setRunning((before) => {
      const next = new Set(before);
      if (on) next.add(id);
      else next.delete(id);
      return next;
    });
  /**
   * Resolves to the seconds it took. Throws CallError when the channel failed or could not be
   * tested.
   */
  const ask = async ({ id }: ChannelEntity): Promise<number> => {
    mark(id, true);
    try {
      const { success, message, time } = await client.channel.test({ id });
      if (!success) throw new CallError(message, 200);
      return time;
    } finally {
      mark(id, false);
      await refresh();
    }
  };
  const test = async (channel: ChannelEntity): Promise<void> => {
    const { name } = channel;
    try {
      toastSuccess(t('channel.test.done', { name, time: (await ask(channel)).toFixed(2) }));
    } catch (error) {
      toastFailure(error, t('channel.test.failed', { name }));
    }
  };
  const updateBalance = useMutation({
    mutationFn: async ({ id }: ChannelEntity) => {
      const { success, message, balance, currency } = await client.channel.updateBalance({ id });
      if (!success) throw new CallError(message, 200);
      return formatBalance({ amount: balance, currency });
    },
    onSuccess: (amount) => toastSuccess(t('channel.balance.done', { amount })),
    onSettled: refresh,
  });
  return { running, test, updateBalance };
}
export type ChannelTests = ReturnType<typeof useChannelTests>;
