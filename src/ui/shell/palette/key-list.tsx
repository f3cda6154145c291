import { Kbd } from '@mantine/core';
import { openDialog } from '../../components/dialogs.ts';
import { type TextKey, translate, useTranslation } from '../../i18n/index.ts';
import classes from './key-list.module.css';

/** How the key is called that shortcuts are pressed with. */
const modKey = /Mac|iP(hone|ad|od)/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

const keys: readonly (readonly [readonly string[], TextKey])[] = [
  [['↑', '↓'], 'palette.keys.rows'],
  [['Enter'], 'palette.keys.open'],
  [['Space'], 'palette.keys.select'],
  [['/'], 'palette.keys.search'],
  [[modKey, 'K'], 'palette.keys.palette'],
  [['Esc'], 'palette.keys.close'],
  [['?'], 'palette.keys.help'],
];

function KeyList() {
  const { t } = useTranslation();
  return (
    <dl className={classes.list}>
      {keys.map(([names, label]) => (
        <div key={label} className={classes.row}>
          <dt>{t(label)}</dt>
          <dd>
            {names.map((name) => (
              <Kbd key={name}>{name}</Kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function showKeys(): void {
  openDialog({
    title: translate('palette.keys'),
    role: 'dialog',
    size: 360,
    withCloseButton: true,
    content: () => <KeyList />,
  });
}
