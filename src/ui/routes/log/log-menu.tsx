/** What can be done with the log as a whole. Its dialogs are loaded when they are opened. */
import { ActionIcon, Menu } from '@mantine/core';
import { CalendarDays, Download, Ellipsis, ReceiptText, Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import { isAdmin } from '../../../core/vocabulary/roles.ts';
import { useUser } from '../../client/session.ts';
import { loadTextPart, useTranslation } from '../../i18n/index.ts';
import type { LogQuery } from './use-logs.ts';

export function LogMenu({ filters }: { readonly filters: () => LogQuery }) {
  const { t } = useTranslation();
  const user = useUser();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('common.more')}>
          <Ellipsis size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<Download size={14} />}
          onClick={async () => {
            const [{ openExport }] = await Promise.all([
              import('./export-dialog.tsx'),
              loadTextPart('logActions'),
            ]);
            openExport(filters());
          }}
        >
          {t('log.export')}
        </Menu.Item>
        <Menu.Item
          leftSection={<CalendarDays size={14} />}
          onClick={async () => {
            const [{ openActivity }] = await Promise.all([
              import('./activity-dialog.tsx'),
              loadTextPart('logActions'),
            ]);
            openActivity({
              forAdmin: isAdmin(user?.role ?? 0),
              username: filters().username ?? '',
            });
          }}
        >
          {t('log.activity')}
        </Menu.Item>
        <Menu.Item component={Link} to="/statement" leftSection={<ReceiptText size={14} />}>
          {t('statement.title')}
        </Menu.Item>
        {isAdmin(user?.role ?? 0) && (
          <Menu.Item
            c="var(--tp-red-text)"
            leftSection={<Trash2 size={14} />}
            onClick={async () => {
              const [{ openPrune }] = await Promise.all([
                import('../../components/prune-dialog.tsx'),
                loadTextPart('logActions'),
              ]);
              openPrune();
            }}
          >
            {t('log.prune')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
