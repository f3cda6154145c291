import { useMutation } from '@tanstack/react-query';
import { LogOut, Power, PowerOff } from 'lucide-react';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { RowAction } from '../../list/row-actions.tsx';
import { useRefreshNodes } from '../../queries/use-invalidate.ts';
import type { Node } from './node-columns.tsx';

/** What can be done with a gateway; `all`: whether it is the last one is confirmed first. */
export function useNodeActions(all: readonly Node[]): readonly RowAction<Node>[] {
  const { t } = useTranslation();
  const refresh = useRefreshNodes();
  const drain = useMutation({
    mutationFn: ({ node, stop }: { node: string; stop: boolean }) =>
      client.nodes.drain({ node, stop }),
    onSettled: refresh,
  });
  const resume = useMutation({
    mutationFn: (node: string) => client.nodes.resume({ node }),
    onSuccess: (nodes) => toastSuccess(t('node.resumed', { address: nodes[0]?.address ?? '' })),
    onSettled: refresh,
  });
  const textOf = ({ id, address }: Node, stop: boolean) => {
    // Workers behind one port are drained together.
    const others = all.filter(
      (node) => node.id !== id && node.address !== address && node.state === 'serving',
    );
    const effect = t(stop ? 'node.stop.text' : 'node.drain.text');
    return others.length > 0 ? effect : `${effect} ${t('node.last')}`;
  };
  return [
    {
      key: 'drain',
      label: t('node.drain'),
      icon: LogOut,
      prominent: true,
      when: ({ state }) => state === 'serving',
      confirm: (node) => ({
        title: t('node.drain.title', { address: node.address }),
        text: textOf(node, false),
        confirm: t('node.drain'),
        mild: true,
      }),
      onAct: ({ id }) => drain.mutate({ node: id, stop: false }),
    },
    {
      key: 'resume',
      label: t('node.resume'),
      icon: Power,
      prominent: true,
      when: ({ state }) => state !== 'serving',
      onAct: ({ id }) => resume.mutate(id),
    },
    {
      key: 'stop',
      label: t('node.stop'),
      icon: PowerOff,
      danger: true,
      when: ({ stopping }) => !stopping,
      confirm: (node) => ({
        title: t('node.stop.title', { address: node.address }),
        text: textOf(node, true),
        confirm: t('node.stop'),
      }),
      onAct: ({ id }) => drain.mutate({ node: id, stop: true }),
    },
  ];
}
