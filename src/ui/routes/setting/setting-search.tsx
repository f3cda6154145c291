/**
 * One search over all settings. It leads to the option on its panel
 * (docs/rules/console.md#settings-screen).
 */
import { TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { type PanelId, panelPageOf } from '../../../core/options/facts.ts';
import { settingAddress } from '../../browser/setting-address.ts';
import { toastFailure } from '../../client/failures.ts';
import type { FoundSetting } from '../../form/search-settings.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useOptionTexts } from '../../i18n/option-texts.ts';
import classes from './setting-search.module.css';

type SearchSettings = (panels: readonly PanelId[], text: string) => readonly FoundSetting[];

export function SettingSearch({ panels }: { readonly panels: readonly PanelId[] }) {
  const { t } = useTranslation();
  const texts = useOptionTexts();
  const navigate = useNavigate();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [search, setSearch] = useState<SearchSettings>();
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [current, setCurrent] = useState(0);
  useHotkeys([['/', () => field.current?.focus()]]);

  const load = () => {
    setOpen(true);
    if (search !== undefined) return;
    import('../../form/search-settings.ts').then(
      ({ searchSettings }) => setSearch(() => searchSettings),
      toastFailure,
    );
  };
  const found = search?.(panels, text) ?? [];
  const isShown = isOpen && search !== undefined && text.trim() !== '';
  const optionId = (index: number) => `${id}-${index}`;
  const go = ({ panel, option }: FoundSetting) => {
    setOpen(false);
    setText('');
    // The field that it leads to takes the focus.
    field.current?.blur();
    void navigate(settingAddress(panel, option));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const chosen = found[current];
    if (event.key === 'Escape') {
      if (text === '') field.current?.blur();
      setText('');
    } else if (event.key === 'Enter' && chosen !== undefined) {
      go(chosen);
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && found.length > 0) {
      event.preventDefault();
      setCurrent((current + (event.key === 'ArrowDown' ? 1 : found.length - 1)) % found.length);
    }
  };
  return (
    <search className={classes.search}>
      <TextInput
        ref={field}
        role="combobox"
        aria-label={t('setting.search')}
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? id : undefined}
        aria-activedescendant={isShown && found.length > 0 ? optionId(current) : undefined}
        placeholder={t('setting.search')}
        autoComplete="off"
        value={text}
        leftSection={<Search size={15} strokeWidth={1.75} />}
        rightSection={
          text === '' ? (
            <span className={classes.slash} aria-hidden="true">
              /
            </span>
          ) : undefined
        }
        onFocus={load}
        onBlur={() => setOpen(false)}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setCurrent(0);
          load();
        }}
        onKeyDown={onKeyDown}
      />
      {isShown && (
        <div
          id={id}
          role="listbox"
          aria-label={t('setting.search.results')}
          className={classes.results}
        >
          {found.map((one, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys (aria-activedescendant)
            <div
              key={one.option ?? one.panel}
              id={optionId(index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === current}
              className={classes.result}
              // The field keeps the focus until the choice is made.
              onMouseDown={(event) => event.preventDefault()}
              onMouseMove={() => setCurrent(index)}
              onClick={() => go(one)}
            >
              <span className={classes.label}>
                {one.option === undefined ? texts.panel(one.panel) : texts.label(one.option)}
              </span>
              <span className={classes.place}>
                {texts.panel(panelPageOf(one.panel))}
                {one.option !== undefined && ` › ${texts.panel(one.panel)}`}
              </span>
              {one.option !== undefined && <code className={classes.key}>{one.option}</code>}
            </div>
          ))}
          {found.length === 0 && <p className={classes.none}>{t('setting.search.none')}</p>}
        </div>
      )}
    </search>
  );
}
