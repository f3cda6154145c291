/** Settings by name, key or description, for those who may open them. */
import { Settings } from 'lucide-react';
import { useEffect, useState } from 'react';
import { panelPageOf, panelPages, panelsOf } from '../../../core/options/facts.ts';
import { settingAddress } from '../../browser/setting-address.ts';
import { toastFailure } from '../../client/failures.ts';
import { useIsAdmin } from '../../client/session.ts';
import { currentLanguage, useTranslation } from '../../i18n/index.ts';
import type { PaletteItem } from './items.ts';

type Search = typeof import('../../form/search-settings.ts');

const most = 6;
const panels = panelPages.flatMap(panelsOf);

export function useSettingItems(text: string): readonly PaletteItem[] {
  useTranslation();
  const mayOpen = useIsAdmin();
  const [search, setSearch] = useState<Search>();
  useEffect(() => {
    // The words of all options in both languages weigh more than the rest of the palette.
    if (mayOpen) import('../../form/search-settings.ts').then(setSearch, toastFailure);
  }, [mayOpen]);
  if (search === undefined || text === '') return [];
  const language = currentLanguage();
  const name = (id: string) => search.settingName(id, language);
  return search
    .searchSettings(panels, text)
    .slice(0, most)
    .map(({ panel, option }) => ({
      key: `setting ${option ?? panel}`,
      label: option === undefined ? name(`panel.${panel}`) : name(`option.${option}.label`),
      hint: [
        name(`panel.${panelPageOf(panel)}`),
        ...(option === undefined ? [] : [name(`panel.${panel}`)]),
      ].join(' › '),
      icon: Settings,
      act: `/setting${settingAddress(panel, option)}`,
    }));
}
