import { Button, Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { EscapeKey } from '../../components/escape-key.tsx';
import { useTranslation } from '../../i18n/index.ts';
import classes from './filter-drawer.module.css';

interface FilterDrawerProps {
  readonly found: number;
  readonly filtered: boolean;
  readonly onClear: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The filters on a phone: what they find is said while they are chosen. */
export function FilterDrawer({ found, filtered, onClear, onClose, children }: FilterDrawerProps) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened
      onClose={onClose}
      closeOnEscape={false}
      position="bottom"
      size="85%"
      title={t('square.filters')}
      closeButtonProps={{ 'aria-label': t('common.close'), size: 44 }}
    >
      <EscapeKey onPress={onClose} />
      {children}
      <div className={classes.foot}>
        <Button variant="default" disabled={!filtered} onClick={onClear}>
          {t('common.clearAll')}
        </Button>
        <Button onClick={onClose}>{t('square.filters.found', { count: found })}</Button>
      </div>
    </Drawer>
  );
}
