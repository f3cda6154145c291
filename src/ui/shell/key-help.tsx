/** `?` lists the keys (docs/rules/console.md#keyboard). */
import { useHotkeys } from '@mantine/hooks';
import { lazy } from 'react';
import { openDialog, openDialogs } from '../components/dialogs.ts';
import { translate } from '../i18n/index.ts';

const KeyList = lazy(async () => ({ default: (await import('./key-list.tsx')).KeyList }));

function showKeys(): void {
  // Nothing opens above a dialog that waits for a decision.
  if (openDialogs.current().length > 0) return;
  openDialog({
    title: translate('common.keys.title'),
    role: 'dialog',
    size: 360,
    withCloseButton: true,
    content: () => <KeyList />,
  });
}

export function KeyHelp() {
  useHotkeys([['shift+?', showKeys]], undefined, false);
  return null;
}
