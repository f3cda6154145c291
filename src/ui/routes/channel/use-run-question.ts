import { confirmDanger } from '../../components/confirm-danger.tsx';
import { useTranslation } from '../../i18n/index.ts';

/** More calls than this are started only after a question (docs/rules/console.md#channel-tests). */
const mostUnasked = 10;

/**
 * A function that starts tests or balance queries, each a call to an upstream; many of them only
 * when the reader confirms.
 */
export function useRunQuestion(
  of: 'channels' | 'models' | 'balances',
): (count: number, start: () => void) => void {
  const { t } = useTranslation();
  return (count, start) => {
    if (count <= mostUnasked) return start();
    confirmDanger({
      title: t(`channel.tests.ask.${of}`, { count }),
      text: t(`channel.tests.ask.${of}.text`, { count }),
      confirm: t(of === 'balances' ? 'channel.tests.ask.query' : 'channel.tests.ask.start', {
        count,
      }),
      mild: true,
      onConfirm: start,
    });
  };
}
