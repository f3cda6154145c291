/** Rises from the foot while something is unsaved: what changed, discard, save. */
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './save-bar.module.css';

interface SaveBarProps {
  /** Names of what changed. */
  readonly changes: readonly string[];
  readonly saving: boolean;
  readonly onDiscard: () => void;
  readonly onSave: () => void;
}

export function SaveBar({ changes, saving, onDiscard, onSave }: SaveBarProps) {
  const { t } = useTranslation();
  if (changes.length === 0) return null;
  return (
    <section className={classes.bar} aria-label={t('setting.bar')}>
      <p role="status">{t('common.changes', { count: changes.length, list: changes.join(t('common.joint')) })}</p>
      <Button variant="default" disabled={saving} onClick={onDiscard}>
        {t('setting.discard')}
      </Button>
      <Button loading={saving} onClick={onSave}>
        {t('common.save')}
      </Button>
    </section>
  );
}
