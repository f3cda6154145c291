/**
 * `setting.header_override` row by row: headers set on every request, and those of the caller that
 * are forwarded.
 */
import { CloseButton, Input, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { useTranslation } from '../../i18n/index.ts';
import { type HeaderRow, headerRows, headersOf, isHeaderPattern } from './channel-setting.ts';
import classes from './header-fields.module.css';

interface HeaderFieldsProps {
  readonly value: JsonValue | undefined;
  readonly onChange: (value: JsonObject) => void;
  readonly error?: string | undefined;
}

export function HeaderFields({ value, onChange, error }: HeaderFieldsProps) {
  const { t } = useTranslation();
  const [rows, setRows] = useState(() => headerRows(value));
  // The raw text may have been edited: then its headers replace the rows.
  const stored = headerRows(value);
  const shown =
    JSON.stringify(headersOf(rows)) === JSON.stringify(headersOf(stored)) ? rows : stored;
  const change = (next: readonly HeaderRow[]) => {
    setRows(next);
    onChange(headersOf(next));
  };
  const edit = (index: number, part: Partial<HeaderRow>) =>
    change(shown.map((row, at) => (at === index ? { ...row, ...part } : row)));
  return (
    <div>
      <Input.Label component="div">{t('channel.setting.headers')}</Input.Label>
      {shown.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place while it is being written
        <div key={index} className={classes.header}>
          <TextInput
            aria-label={t('channel.setting.headers.name', { n: index + 1 })}
            placeholder="X-Title"
            classNames={{ input: classes.code ?? '' }}
            value={row.name}
            onChange={(event) => edit(index, { name: event.currentTarget.value })}
          />
          <TextInput
            aria-label={t('channel.setting.headers.value', { n: index + 1 })}
            placeholder={
              isHeaderPattern(row.name)
                ? t('channel.setting.headers.passed')
                : '{client_header:X-Title}'
            }
            classNames={{ input: classes.code ?? '' }}
            disabled={isHeaderPattern(row.name)}
            value={isHeaderPattern(row.name) ? '' : row.value}
            onChange={(event) => edit(index, { value: event.currentTarget.value })}
          />
          <CloseButton
            aria-label={t('channel.setting.headers.remove', { n: index + 1 })}
            onClick={() => change(shown.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <button
        type="button"
        className={classes.add}
        onClick={() => setRows([...shown, { name: '', value: '' }])}
      >
        <Plus size={14} aria-hidden="true" />
        {t('channel.setting.headers.add')}
      </button>
      {error === undefined ? (
        <Input.Description>{t('channel.setting.headers.hint')}</Input.Description>
      ) : (
        <Input.Error>{error}</Input.Error>
      )}
    </div>
  );
}
