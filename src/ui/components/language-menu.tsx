import { Menu } from '@mantine/core';
import { Check, Languages } from 'lucide-react';
import { languages } from '../../core/vocabulary/languages.ts';
import { toastFailure } from '../client/failures.ts';
import { changeLanguage, currentLanguage, useTranslation } from '../i18n/index.ts';
import { IconButton } from './icon-button.tsx';

export function LanguageMenu() {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton label={t('shell.language')}>
          <Languages size={16} strokeWidth={1.75} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        {languages.map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            onClick={() => void changeLanguage(language).catch(toastFailure)}
            rightSection={currentLanguage() === language ? <Check size={14} /> : undefined}
          >
            {t(`shell.language.${language}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
