/** JSON in a form: line numbers, the error at its line, "format" (docs/rules/console.md#forms). */
import { Input, Skeleton } from '@mantine/core';
import { lazy, Suspense, useId, useRef } from 'react';
import { isObject, parseJson } from '../../core/kernel/json.ts';
import { useSeen } from '../hooks/use-seen.ts';
import { useTranslation } from '../i18n/index.ts';
import classes from './json-field.module.css';

// CodeMirror weighs as much as half a screen: it waits until a field with JSON is in sight.
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
  const box = useRef<HTMLDivElement>(null);
  const seen = useSeen(box);
  const parsed = parseJson(value);
  const pretty = parsed === undefined ? undefined : JSON.stringify(parsed, null, 2);
  const loading = <Skeleton height={64} radius={8} />;
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
      <div ref={box} className={classes.box} data-error={error !== undefined || undefined}>
        <Suspense fallback={loading}>
          {seen ? <JsonEditor labelledBy={id} value={value} onChange={onChange} /> : loading}
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
