import { getDefaultZIndex, Modal } from '@mantine/core';
import { useTranslation } from '../i18n/index.ts';
import classes from './dialog-frame.module.css';
import type { OpenDialog } from './dialogs.ts';
import { EscapeKey } from './escape-key.tsx';

/** The title names the dialog for screen readers. */
export function DialogFrame({ dialog }: { dialog: OpenDialog }) {
  const { bare = false } = dialog;
  const { t } = useTranslation();
  const dismiss = () => {
    dialog.close();
    dialog.onDismiss?.();
  };
  return (
    // Above the drawer that it asks about.
    <Modal.Root
      opened
      onClose={dismiss}
      closeOnEscape={false}
      size={dialog.size}
      centered={!bare}
      yOffset={bare ? '10dvh' : undefined}
      zIndex={getDefaultZIndex('modal') + 1}
    >
      <Modal.Overlay />
      {/* Mantine gives every content the role "dialog". */}
      <Modal.Content
        ref={(content: HTMLElement | null) => content?.setAttribute('role', dialog.role)}
        radius="lg"
      >
        <EscapeKey onPress={dismiss} />
        {/* Mantine's own head is a second banner of the page for screen readers. */}
        <div className={bare ? classes.heard : classes.head}>
          <Modal.Title>{dialog.title}</Modal.Title>
          {dialog.withCloseButton && <Modal.CloseButton aria-label={t('common.close')} />}
        </div>
        <Modal.Body p={bare ? 0 : undefined}>
          {dialog.content(dialog.close, dialog.retitle)}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
