/** What goes into a model and comes out of it, in words. */
import type { Translate } from '../../i18n/index.ts';

const modalities = ['text', 'image', 'audio', 'video', 'file'] as const;

function isModality(name: string): name is (typeof modalities)[number] {
  return (modalities as readonly string[]).includes(name);
}

export function modalityNames(names: readonly string[], t: Translate): string {
  return names
    .map((name) => (isModality(name) ? t(`square.modality.${name}`) : name))
    .join(t('square.modality.and'));
}
