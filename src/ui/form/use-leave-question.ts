/**
 * Leaving unsaved changes asks first, whichever way the reader leaves
 * (docs/rules/console.md#unsaved-changes).
 */
import { useEffect, useEffectEvent, useRef } from 'react';
import { useBlocker } from 'react-router';
import { currentUser } from '../client/session.ts';
import { confirmDanger } from '../components/confirm-danger.tsx';
import { loadDialogsAhead } from '../components/dialog-host.tsx';
import { drawerClosing, leavesDrawer } from '../hooks/drawer-address.ts';
import { useTranslation } from '../i18n/index.ts';

/** The most changes that the question names. */
const mostNamed = 6;

interface LeaveAnswers {
  readonly leave: () => void;
  readonly stay?: () => void;
}

/**
 * Watches the back button, other links and reloads while there are changes; a form is left by one
 * of its own buttons through the function that is returned. Another tab of the same page is not
 * left. After the login has expired nothing can be saved, so nothing is asked.
 *
 * @param changes a text for each; empty when nothing is unsaved
 */
export function useLeaveQuestion(changes: readonly string[]): (answers: LeaveAnswers) => void {
  const { t } = useTranslation();
  const isChanged = changes.length > 0;
  const joint = t('common.changes.joint');
  const list = `${changes.slice(0, mostNamed).join(joint)}${changes.length > mostNamed ? '…' : ''}`;
  const isAsking = useRef(false);
  const ask = ({ leave, stay }: LeaveAnswers) => {
    if (!isChanged) return leave();
    // On phones, the back button is pressed to close the question itself.
    if (isAsking.current) return stay?.();
    isAsking.current = true;
    const then = (act?: () => void) => () => {
      isAsking.current = false;
      act?.();
    };
    confirmDanger({
      title: t('common.leave.title'),
      text: t('common.leave.text', { list }),
      confirm: t('common.leave.leave'),
      cancel: t('common.leave.stay'),
      onConfirm: then(leave),
      onCancel: then(stay),
    });
  };
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isChanged &&
      currentUser() !== null &&
      !drawerClosing.current &&
      (currentLocation.pathname !== nextLocation.pathname ||
        leavesDrawer(currentLocation.search, nextLocation.search)),
  );
  const askOnce = useEffectEvent(ask);
  const latest = useRef(blocker);
  useEffect(() => {
    const wasBlocked = latest.current.state === 'blocked';
    latest.current = blocker;
    // Pressed again while the question is open: the answer is about the last press.
    if (blocker.state !== 'blocked' || wasBlocked) return;
    askOnce({ leave: () => latest.current.proceed?.(), stay: () => latest.current.reset?.() });
  }, [blocker]);
  useEffect(() => {
    if (!isChanged) return;
    loadDialogsAhead();
    const hold = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', hold);
    return () => window.removeEventListener('beforeunload', hold);
  }, [isChanged]);
  return ask;
}
