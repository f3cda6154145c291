/** The settings of a playground on a phone. */
import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { EscapeKey } from '../../components/escape-key.tsx';
import { useTranslation } from '../../i18n/index.ts';
import classes from './playground.module.css';

export function SettingsSheet({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Drawer.Root opened onClose={onClose} position="bottom" size="auto" closeOnEscape={false}>
      <Drawer.Overlay backgroundOpacity={0.32} />
      <Drawer.Content radius={0} aria-label={t('playground.settings')}>
        <EscapeKey onPress={onClose} />
        {/* Mantine's own head is a second banner of the page for screen readers. */}
        <div className={classes.sheetHead}>
          <Drawer.Title>{t('playground.settings')}</Drawer.Title>
          <Drawer.CloseButton size={44} aria-label={t('common.close')} />
        </div>
        <Drawer.Body className={classes.sheet}>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
