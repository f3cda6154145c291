/** JSON in a form: line numbers, the error at its line, "format" (docs/rules/console.md#forms). */
import { Input, Skeleton } from '@mantine/core';
import { lazy, Suspense, useId } from 'react';
import { isObject, parseJson } from '../../core/kernel/json.ts';
import { useTranslation } from '../i18n/index.ts';
import classes from './json-field.module.css';

// CodeMirror waits until a form with JSON is open.
const JsonEditor = lazy(async () => ({ default: (await import('./json-editor.tsx')).JsonEditor }));

/** Whether a text is empty or holds a JSON object. */
export function isJsonObject(text: string): boolean {
  return text.trim() === '' || isObject(parseJson(text));
}

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
        <Suspense fallback={<Skeleton height={64} radius={8} />}>
          <JsonEditor labelledBy={id} value={value} onChange={onChange} />
        </Suspense>
      </div>
      {error !== undefined ? (
        <Input.Error>{error}</Input.Error>
      ) : (
        description !== undefined && <Input.Description>{description}</Input.Description>
      )}
    </div>
  );
}
