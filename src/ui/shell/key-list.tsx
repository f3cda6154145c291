import { Kbd } from '@mantine/core';
import { type TextKey, useTranslation } from '../i18n/index.ts';
import classes from './key-help.module.css';

const keys: readonly (readonly [readonly string[], TextKey])[] = [
  [['↑', '↓'], 'common.keys.rows'],
  [['Enter'], 'common.keys.open'],
  [['Space'], 'common.keys.select'],
  [['/'], 'common.keys.search'],
  [['Esc'], 'common.keys.close'],
  [['?'], 'common.keys.help'],
];

export function KeyList() {
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
