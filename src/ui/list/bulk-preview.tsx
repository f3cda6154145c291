/** What a change of many rows would do, for whom, and what of it is gone for good. */
import { Text } from '@mantine/core';
import type { BulkOutput } from '../../core/contract/bulk.ts';
import { formatCount } from '../../core/pricing/format.ts';
import { type TextKey, useTranslation } from '../i18n/index.ts';
import type { BulkSubject } from './bulk.ts';
import classes from './bulk-preview.module.css';

interface BulkPreviewProps {
  readonly shown: BulkOutput;
  readonly valueText: BulkSubject['valueText'];
  readonly deletes: boolean;
}

export function BulkPreview({ shown, valueText, deletes }: BulkPreviewProps) {
  const { t } = useTranslation();
  const { matched, changed, groups, more_groups: more, refused, lost } = shown;
  const read = (field: string, value: string | number) =>
    valueText(field, value) ?? (value === '' ? t('bulk.none') : String(value));
  const lineOf = ({ field, from, to, added, removed }: (typeof groups)[0]['changes'][0]) => {
    const label = t(`bulk.field.${field}` as TextKey);
    if (added.length + removed.length > 0) {
      const to = [...added.map((one) => `+ ${one}`), ...removed.map((one) => `− ${one}`)].join(
        '  ',
      );
      return t('bulk.to', { field: label, to });
    }
    if (field === 'deleted') return read('deleted', from);
    if (field === 'sign_out') return label;
    if (field === 'grant') return t('bulk.to', { field: label, to: read(field, to) });
    return t('bulk.from', { field: label, from: read(field, from), to: read(field, to) });
  };
  return (
    <div className={classes.preview}>
      <Text size="sm" fw={500}>
        {changed === 0
          ? t('bulk.nothing', { matched: formatCount(matched) })
          : t(deletes ? 'bulk.shown.delete' : 'bulk.shown', {
              count: changed,
              n: formatCount(changed),
              matched: formatCount(matched),
            })}
      </Text>
      {groups.length > 0 && (
        // A box that scrolls is reached by keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <ul className={classes.groups} tabIndex={0} aria-label={t('bulk.what')}>
          {groups.map(({ changes, count, names }) => (
            <li key={`${names[0]} ${count}`}>
              {changes.map((change) => (
                <span key={change.field} className={classes.change}>
                  {lineOf(change)}
                </span>
              ))}
              <span className={classes.names}>
                {count > names.length
                  ? t('bulk.group.names', {
                      names: names.join(t('common.joint')),
                      n: formatCount(count),
                    })
                  : names.join(t('common.joint'))}
              </span>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <Text size="sm" c="var(--tp-dim)">
          {t('bulk.group.more', { count: more, n: formatCount(more) })}
        </Text>
      )}
      {lost.models.length > 0 && (
        <Text size="sm" c="var(--tp-red-text)">
          {t('bulk.lost.models', { names: lost.models.join(t('common.joint')) })}
        </Text>
      )}
      {deletes && lost.keys > 0 && (
        <Text size="sm" c="var(--tp-red-text)">
          {t('bulk.lost.keys', { count: lost.keys, n: formatCount(lost.keys) })}
        </Text>
      )}
      {deletes && lost.keys > 0 && <Text size="sm">{t('bulk.lost.logs')}</Text>}
      <Refusals refused={refused} />
    </div>
  );
}

export function Refusals({ refused }: Pick<BulkOutput, 'refused'>) {
  const { t } = useTranslation();
  if (refused.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={500}>
        {t('bulk.refused')}
      </Text>
      {refused.map(({ message, count, names }) => (
        <Text key={message} size="sm" c="var(--tp-ink2)">
          {message} ({formatCount(count)}): {names.join(t('common.joint'))}
        </Text>
      ))}
    </div>
  );
}
