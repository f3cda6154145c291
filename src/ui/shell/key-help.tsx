/** `?` lists the keys, ⌘K opens the palette (docs/rules/console.md#keyboard). */
import { useHotkeys } from '@mantine/hooks';
import { openLate } from './open-late.ts';

export function KeyHelp() {
  useHotkeys([['shift+?', () => openLate('keys')]], undefined, false);
  // In fields, too.
  useHotkeys([['mod+K', () => openLate('palette')]], [], true);
  return null;
}
