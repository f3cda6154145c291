/**
 * One field for everything: screens, acts, channels, users, tokens, models, settings and requests
 * (docs/rules/console.md#palette).
 */
import { ActionIcon, TextInput } from '@mantine/core';
import { ScrollText, Search, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { router } from '../../browser/router-handle.ts';
import { toastFailure } from '../../client/failures.ts';
import { useIsAdmin, useUser } from '../../client/session.ts';
import { useTranslation } from '../../i18n/index.ts';
import { isRequestId, matching, type PaletteGroup, type PaletteItem } from './items.ts';
import classes from './palette.module.css';
import { useFoundItems } from './use-found-items.ts';
import { useActItems, useScreenItems } from './use-own-items.ts';
import { useSettingItems } from './use-setting-items.ts';

/** Milliseconds from the last key to the search on the server. */
const debounceMs = 200;

function useLater(text: string): string {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setLater(text), debounceMs);
    return () => window.clearTimeout(timer);
  }, [text]);
  return later;
}

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const user = useUser();
  const admin = useIsAdmin();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  /** The key of what Enter chooses; the first one while the reader has chosen none. */
  const [chosen, setChosen] = useState<string>();
  const text = typed.trim();
  const later = useLater(text);
  const found = useFoundItems(later);
  const settings = useSettingItems(text);
  const screens = useScreenItems();
  const acts = useActItems();
  const own = (key: string, name: string, items: readonly PaletteItem[]): PaletteGroup => ({
    key,
    name,
    items: text === '' ? items : matching(items, text),
  });
  const request: PaletteItem = {
    key: 'request',
    label: t('palette.request', { id: text }),
    icon: ScrollText,
    act: `/log?${new URLSearchParams({ request: text, open: text })}`,
  };
  const groups = [
    {
      key: 'request',
      name: t('palette.group.requests'),
      items: user !== null && isRequestId(text) ? [request] : [],
    },
    own('screens', t('palette.group.screens'), screens),
    own('acts', t('palette.group.acts'), acts),
    ...(text === '' ? [] : found.groups),
    { key: 'settings', name: t('palette.group.settings'), items: settings },
  ].filter(({ items }) => items.length > 0);
  const items = groups.flatMap((group) => group.items);
  const place = Math.max(
    0,
    items.findIndex(({ key }) => key === chosen),
  );
  const current = items[place];
  const optionId = (key: string) => `${id}-${key}`;
  const searching = text !== '' && (found.searching || later !== text);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever moves the choice
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView?.({ block: 'nearest' });
  }, [current?.key]);

  const go = ({ act }: PaletteItem) => {
    onClose();
    if (typeof act === 'string') void router().navigate(act);
    else void Promise.resolve(act()).catch(toastFailure);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: items.length - 1 }[event.key];
    if (event.key === 'Enter' && current !== undefined) {
      event.preventDefault();
      go(current);
    } else if (step !== undefined && items.length > 0) {
      event.preventDefault();
      setChosen(items[(place + step) % items.length]?.key);
    }
  };
  return (
    <div className={classes.palette}>
      <TextInput
        data-autofocus
        role="combobox"
        variant="unstyled"
        size="md"
        className={classes.field ?? ''}
        aria-label={t('palette.title')}
        aria-autocomplete="list"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={current && optionId(current.key)}
        autoComplete="off"
        placeholder={t(admin ? 'palette.placeholder.admin' : 'palette.placeholder')}
        leftSection={<Search size={18} strokeWidth={1.75} />}
        rightSection={
          <ActionIcon size={44} aria-label={t('common.close')} onClick={onClose}>
            <X size={18} />
          </ActionIcon>
        }
        leftSectionWidth={48}
        rightSectionWidth={52}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(undefined);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={t('palette.results')}
        className={classes.list}
      >
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list box
          <div key={group.key} role="group" aria-labelledby={`${id}-of-${group.key}`}>
            <div id={`${id}-of-${group.key}`} className={classes.group}>
              {group.name}
            </div>
            {group.items.map((item) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys (aria-activedescendant)
              <div
                key={item.key}
                id={optionId(item.key)}
                role="option"
                tabIndex={-1}
                aria-selected={item.key === current?.key}
                className={classes.item}
                onMouseDown={(event) => event.preventDefault()}
                onMouseMove={() => setChosen(item.key)}
                onClick={() => go(item)}
              >
                <item.icon size={16} strokeWidth={1.75} aria-hidden="true" />
                <span className={classes.label} dir="auto">
                  {item.label}
                </span>
                {item.hint !== undefined && <span className={classes.hint}>{item.hint}</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
      <div role="status" className={classes.foot}>
        {searching
          ? t('palette.searching')
          : items.length === 0 && found.problems.length === 0
            ? t('palette.none')
            : null}
        {!searching &&
          found.problems.map((problem) => (
            <p key={problem} className={classes.problem}>
              {problem}
            </p>
          ))}
      </div>
    </div>
  );
}
