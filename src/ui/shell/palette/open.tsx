import { openDialog, openDialogs } from '../../components/dialogs.ts';
import { loadTextPart, translate } from '../../i18n/index.ts';
import { showKeys } from './key-list.tsx';
import { Palette } from './palette.tsx';

export async function open(what: 'palette' | 'keys'): Promise<void> {
  await loadTextPart('palette');
  // Nothing opens above a dialog that waits for a decision.
  if (openDialogs.current().length > 0) return;
  if (what === 'keys') return showKeys();
  openDialog({
    title: translate('palette.title'),
    role: 'dialog',
    size: 600,
    withCloseButton: false,
    bare: true,
    content: (close) => <Palette onClose={close} />,
  });
}
