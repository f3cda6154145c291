/** Leaving a page with unsaved changes asks first. Another tab of the same page is not leaving. */
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';
import { confirmDanger } from '../components/confirm-danger.tsx';

export function useStayWhileChanged(changes: readonly string[]): void {
  const { t } = useTranslation();
  const isChanged = changes.length > 0;
  const list = changes.join(t('common.joint'));
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isChanged && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    confirmDanger({
      title: t('common.leave.title'),
      text: t('common.leave.text', { list }),
      confirm: t('common.leave.leave'),
      cancel: t('common.leave.stay'),
      onConfirm: blocker.proceed,
      onCancel: blocker.reset,
    });
  }, [blocker, t, list]);
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isChanged]);
}
