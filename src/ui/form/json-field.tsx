/** JSON in a form: line numbers, the error at its line, "format" (docs/rules/console.md#forms). */
import { Input } from '@mantine/core';
import { useId } from 'react';
import { parseJson } from '../../core/kernel/json.ts';
import { useTranslation } from '../i18n/index.ts';
import classes from './json-field.module.css';
import { JsonInput } from './json-input.tsx';

interface JsonFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
  /** Offered while the field is empty. */
  readonly example?: string | undefined;
}

export function JsonField({ label, description, value, onChange, error, example }: JsonFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const parsed = parseJson(value);
  const pretty = parsed === undefined ? undefined : JSON.stringify(parsed, null, 2);
  return (
    <div>
      <div className={classes.head}>
        <Input.Label component="div" id={id}>
          {label} <span className={classes.kind}>JSON</span>
        </Input.Label>
        {example !== undefined && value.trim() === '' && (
          <button type="button" className={classes.format} onClick={() => onChange(example)}>
            {t('common.json.example')}
          </button>
        )}
        {pretty !== undefined && pretty !== value && (
          <button type="button" className={classes.format} onClick={() => onChange(pretty)}>
            {t('common.json.format')}
          </button>
        )}
      </div>
      <div className={classes.box} data-error={error !== undefined || undefined}>
        <JsonInput labelledBy={id} value={value} onChange={onChange} />
      </div>
      {error !== undefined ? (
        <Input.Error>{error}</Input.Error>
      ) : (
        description !== undefined && <Input.Description>{description}</Input.Description>
      )}
    </div>
  );
}
