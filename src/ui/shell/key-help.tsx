/** `?` lists the keys (docs/rules/console.md#keyboard). */
import { Kbd, Modal } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import type { TextKey } from '../i18n/index.ts';
import classes from './key-help.module.css';

const keys: readonly (readonly [readonly string[], TextKey])[] = [
  [['↑', '↓'], 'common.keys.rows'],
  [['Enter'], 'common.keys.open'],
  [['Space'], 'common.keys.select'],
  [['/'], 'common.keys.search'],
  [['Esc'], 'common.keys.close'],
  [['?'], 'common.keys.help'],
];

export function KeyHelp() {
  const { t } = useTranslation();
  const [opened, help] = useDisclosure(false);
  useHotkeys([['shift+?', help.toggle]], undefined, false);
  return (
    <Modal
      opened={opened}
      onClose={help.close}
      title={t('common.keys.title')}
      size={360}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
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
    </Modal>
  );
}
