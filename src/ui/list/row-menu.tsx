import { ActionIcon, Menu } from '@mantine/core';
import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/index.ts';

/** The "⋯" of a row; destructive actions live here. */
export function RowMenu({ name, children }: { name: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          size={28}
          aria-label={t('common.more.of', { name })}
          style={{ color: 'var(--tp-ink2)' }}
        >
          <Ellipsis size={16} strokeWidth={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown miw={150}>{children}</Menu.Dropdown>
    </Menu>
  );
}
