import { shownFile } from './shown-file.ts';

/** The address of a result as this page may link to it; '' for what it must not follow. */
export function reachable(address: string): string {
  const file = shownFile(address);
  if (file === undefined) return '';
  return file.kind === 'own' ? file.src : file.href;
}
