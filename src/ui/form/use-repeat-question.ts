/**
 * What a call whose reply was lost may have made is not made again without a question
 * (docs/rules/console.md#lost-replies).
 */
import { useRef } from 'react';
import { isUnreachable } from '../client/failures.ts';
import { confirmDanger } from '../components/confirm-danger.tsx';
import { useTranslation } from '../i18n/index.ts';

export function useRepeatQuestion() {
  const { t } = useTranslation();
  const isUnsure = useRef(false);
  return {
    /** It may have been done: no reply came. */
    doubt: () => {
      isUnsure.current = true;
    },
    /** The reply of a later one came. */
    settle: () => {
      isUnsure.current = false;
    },
    /** Call it with each failure; returns what to say beside it. */
    note: (error: unknown): string | undefined => {
      isUnsure.current ||= isUnreachable(error);
      return isUnreachable(error) ? t('common.repeat.unsure') : undefined;
    },
    /** Resolves with false where the answer is not to do it again. */
    mayRepeat: (): Promise<boolean> =>
      new Promise((resolve) => {
        if (!isUnsure.current) return resolve(true);
        confirmDanger({
          title: t('common.repeat.title'),
          text: t('common.repeat.text'),
          confirm: t('common.repeat.confirm'),
          cancel: t('common.leave.stay'),
          mild: true,
          onConfirm: () => resolve(true),
          onCancel: () => resolve(false),
        });
      }),
  };
}
