import { currentTranslate, useTranslation } from '../i18n/index.ts';
import { confirmDanger } from './confirm-danger.tsx';

/** More calls than this are started only after a question (docs/rules/console.md#channel-tests). */
const mostUnasked = 10;

type Calls = 'channels' | 'models' | 'balances';

/**
 * Starts tests or balance queries, each a call to an upstream; many of them only when the reader
 * confirms. Needs the texts of channels.
 */
export function askForRun(of: Calls, count: number, start: () => void): void {
  if (count <= mostUnasked) return start();
  const t = currentTranslate();
  confirmDanger({
    title: t(`channel.tests.ask.${of}`, { count }),
    text: t(`channel.tests.ask.${of}.text`, { count }),
    confirm: t(of === 'balances' ? 'channel.tests.ask.query' : 'channel.tests.ask.start', {
      count,
    }),
    mild: true,
    onConfirm: start,
  });
}

export function useRunQuestion(of: Calls): (count: number, start: () => void) => void {
  useTranslation();
  return (count, start) => askForRun(of, count, start);
}
