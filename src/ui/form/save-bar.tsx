/**
 * Rises from the foot while something is unsaved: what changed, discard, save. Leaving the page
 * asks first.
 */
import { Button } from '@mantine/core';
import { useTranslation } from '../i18n/index.ts';
import classes from './save-bar.module.css';
import { useLeaveQuestion } from './use-leave-question.ts';

interface SaveBarProps {
  /** Names of what changed. */
  readonly changes: readonly string[];
  readonly saving: boolean;
  readonly onDiscard: () => void;
  /** Shows each change with the value before and after. */
  readonly onReview?: () => void;
  readonly onSave: () => void;
}

export function SaveBar({ changes, saving, onDiscard, onReview, onSave }: SaveBarProps) {
  const { t } = useTranslation();
  useLeaveQuestion(changes);
  if (changes.length === 0) return null;
  return (
    <section data-foot-bar className={classes.bar} aria-label={t('setting.bar')}>
      <p role="status">
        {t('common.changes', { count: changes.length, list: changes.join(t('common.joint')) })}
      </p>
      <Button variant="default" disabled={saving} onClick={onDiscard}>
        {t('setting.discard')}
      </Button>
      {onReview !== undefined && (
        <Button
          variant="default"
          className={classes.review ?? ''}
          disabled={saving}
          onClick={onReview}
        >
          {t('setting.review')}
        </Button>
      )}
      <Button loading={saving} onClick={onSave}>
        {t('common.save')}
      </Button>
    </section>
  );
}
