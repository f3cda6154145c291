import { ActionIcon, Tooltip } from '@mantine/core';
import type { ComponentPropsWithRef, ReactNode } from 'react';

/** An icon that says what it does: by name for everybody, by tooltip for the pointer. */
export function IconButton({
  label,
  children,
  size = 32,
  ...rest
}: { label: string; children: ReactNode; size?: number } & Omit<
  ComponentPropsWithRef<'button'>,
  'color'
>) {
  return (
    <Tooltip label={label}>
      <ActionIcon {...rest} size={size} aria-label={label} style={{ color: 'var(--tp-ink2)' }}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
