/** What the palette shows, and which of it a text finds. */
import type { LucideIcon } from 'lucide-react';

export interface PaletteItem {
  readonly key: string;
  readonly label: string;
  /** Beside the label: where it is, or what else tells it apart. */
  readonly hint?: string | undefined;
  /** What it is found by besides. */
  readonly words?: string | undefined;
  readonly icon: LucideIcon;
  /** An address of the console, or what is done. */
  readonly act: string | (() => void | Promise<void>);
}

export interface PaletteGroup {
  readonly key: string;
  readonly name: string;
  readonly items: readonly PaletteItem[];
}

/** 0: no match; the higher, the better. Each word of the text has to occur. */
export function rankOf(text: string, label: string, more = ''): number {
  const query = text.trim().toLowerCase();
  const name = label.toLowerCase();
  const all = `${label} ${more}`.toLowerCase();
  if (!query.split(/\s+/).every((word) => all.includes(word))) return 0;
  if (name === query) return 4;
  if (name.startsWith(query)) return 3;
  return name.includes(query) ? 2 : 1;
}

/** The items that a text finds, best first; those of equal rank stay in their order. */
export function matching(items: readonly PaletteItem[], text: string): readonly PaletteItem[] {
  return items
    .map((item) => ({ item, rank: rankOf(text, item.label, item.words) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .map(({ item }) => item);
}

/** Request ids begin with the time and end with letters; what was cut in copying is none. */
export const isRequestId = (text: string): boolean => /^20\d{12,21}[0-9A-Za-z]{6,}$/.test(text);
