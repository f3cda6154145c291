import { useTranslation } from '../i18n/index.ts';
import classes from './floating-place.module.css';

/**
 * Where Mantine draws menus, dialogs and toasts, by its attribute: a landmark, so that readers who go
 * from one to the next find them. There is none while nothing is open.
 */
export function FloatingPlace() {
  const { t } = useTranslation();
  return (
    <section
      className={classes.place}
      aria-label={t('shell.floating')}
      data-mantine-shared-portal-node="true"
    />
  );
}
