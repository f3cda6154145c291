import { Modal, type ModalProps } from '@mantine/core';
import { EscapeKey } from './escape-key.tsx';

/** A dialog of a screen. Escape closes it only while nothing lies above it. */
export function Dialog({ children, ...props }: ModalProps) {
  return (
    <Modal {...props} closeOnEscape={false}>
      <EscapeKey onPress={props.onClose} />
      {children}
    </Modal>
  );
}
