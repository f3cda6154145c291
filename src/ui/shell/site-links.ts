/** The pages of the top bar, for visitors and users alike (docs/rules/console.md#shell). */
import { useLocation } from 'react-router';
import { aboutPath, homePath, landingPath, pricingPath } from '../browser/paths.ts';
import { useTranslation } from '../i18n/index.ts';
import { useStatus } from '../queries/use-status.ts';

export interface SiteLink {
  /** A path of the console, or an address outside it. */
  readonly to: string;
  readonly label: string;
  readonly outside?: boolean;
  readonly current: boolean;
}

export function useSiteLinks(): readonly SiteLink[] {
  const { t } = useTranslation();
  const status = useStatus();
  const { pathname } = useLocation();
  const own = [landingPath, pricingPath, aboutPath];
  const page = (to: string, label: string): SiteLink => ({ to, label, current: pathname === to });
  const docs = status?.docs_link ?? '';
  return [
    ...(status?.has_home_page === true ? [page(landingPath, t('shell.home'))] : []),
    { to: homePath, label: t('shell.console'), current: !own.includes(pathname) },
    page(pricingPath, t('shell.pricing')),
    ...(docs === '' ? [] : [{ to: docs, label: t('shell.docs'), outside: true, current: false }]),
    page(aboutPath, t('shell.about')),
  ];
}

export const loadNewYear = async () => (await import('./new-year-item.tsx')).NewYearItem;

/** On 1 January of the reader's zone. */
export function isNewYear(now = new Date()): boolean {
  return now.getMonth() === 0 && now.getDate() === 1;
}
