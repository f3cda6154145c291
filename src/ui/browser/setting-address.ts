import {
  isOptionKey,
  optionFacts,
  type PanelId,
  panelPageOf,
  panelPages,
  panelsOf,
} from '../../core/options/facts.ts';

/**
 * The address of a panel of the settings, or of one option in it, within `/setting`
 * (docs/rules/console.md#settings-screen).
 */
export function settingAddress(panel: PanelId, target: string = panel): string {
  return `?tab=${panelPageOf(panel)}#${target}`;
}

/** The panel that a fragment names: by itself, or by one of its options. */
export function panelOfHash(hash: string): PanelId | undefined {
  const name = targetOfHash(hash);
  if (isOptionKey(name)) return optionFacts(name).panel;
  return panelPages.flatMap(panelsOf).find((panel) => panel === name);
}

/** The id of the element that a fragment names. */
export function targetOfHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}
