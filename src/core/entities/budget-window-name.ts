import { playgroundOf } from '../vocabulary/budgets.ts';
import type { Language } from '../vocabulary/languages.ts';

/** Whose window of a budget it is, in words; '': the window of all its requests together. */
export function windowName(
  budget: { readonly owner: string; readonly owner_id: string; readonly each: string },
  { subject, name }: { readonly subject: string; readonly name: string },
  language: Language,
): string {
  const { owner, owner_id: ownerId, each } = budget;
  const user = playgroundOf({ owner, ownerId, each }, subject);
  if (user === undefined) return name || subject;
  const whose = name || `#${user}`;
  return language === 'zh' ? `${whose} 的操练场` : `playground of ${whose}`;
}
