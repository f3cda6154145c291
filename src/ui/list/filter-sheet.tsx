import { Drawer, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { EscapeKey } from '../components/escape-key.tsx';
import { useTranslation } from '../i18n/index.ts';

/** The filters that a phone has no room for. */
export function FilterSheet({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened
      onClose={onClose}
      closeOnEscape={false}
      position="bottom"
      size="auto"
      title={t('common.filter.more')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <EscapeKey onPress={onClose} />
      <Stack align="flex-start" gap={12} pb={16}>
        {children}
      </Stack>
    </Drawer>
  );
}
