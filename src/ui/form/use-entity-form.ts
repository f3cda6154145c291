/**
 * State of a form that creates or edits one thing: values, what is wrong here and at the server,
 * and saving.
 */
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../core/contract/envelope.ts';
import { leaveWhenExpired, toastFailure, toastSuccess } from '../client/failures.ts';
import { confirmDanger, type DangerQuestion } from '../components/confirm-danger.tsx';
import { useTranslation } from '../i18n/index.ts';
import { changedKeys } from './changed-keys.ts';
import type { FieldErrors } from './fields.ts';
import { useKeptDraft } from './kept-draft.ts';

interface EntityFormOptions<V extends object, R> {
  readonly creating: boolean;
  /** What was loaded, or the values of a new one. */
  readonly before: V;
  readonly check: (values: V) => FieldErrors<V>;
  /** `changed`: the only fields that are sent. */
  readonly save: (values: V, changed: readonly (keyof V & string)[]) => Promise<R>;
  readonly onSaved: (result: R) => void | Promise<void>;
  /**
   * The field, or the path in it, that a refusal of the server is about: it is shown there, any
   * other one in a toast.
   */
  readonly fieldOf: (error: CallError) => (keyof FieldErrors<V> & string) | undefined;
  /** Asked before saving: not wrong, only unusual. */
  readonly warn?: (values: V) => Pick<DangerQuestion, 'title' | 'text' | 'confirm'> | undefined;
  /** Shown when something unchanged is saved. */
  readonly unchangedText?: string;
}

export function useEntityForm<V extends object, R>(options: EntityFormOptions<V, R>) {
  const { creating, before, check, save, onSaved, fieldOf, warn, unchangedText } = options;
  const { t } = useTranslation();
  const [kept, keep] = useKeptDraft<Partial<V>>('form');
  const form = useForm<V>({
    // Over what is stored now: others may have changed it meanwhile.
    initialValues: { ...before, ...kept },
    validate: (values) => check(values),
  });
  const current = form.getValues();
  const changed = changedKeys(before, current);
  keep(
    changed.length === 0
      ? undefined
      : (Object.fromEntries(changed.map((name) => [name, current[name]])) as Partial<V>),
  );
  const [refused, setRefused] = useState<object>();
  const mutation = useMutation({
    meta: { quiet: true },
    mutationFn: (values: V) => save(values, changedKeys(before, values)),
    onSuccess: onSaved,
    onError: (error) => {
      if (leaveWhenExpired(error)) return;
      const field = error instanceof CallError ? fieldOf(error) : undefined;
      if (field === undefined) return toastFailure(error);
      form.setFieldError(field, error.message);
      setRefused({});
    },
  });
  const submit = form.onSubmit((values) => {
    if (!creating && changedKeys(before, values).length === 0)
      return toastSuccess(unchangedText ?? t('common.nothingChanged'));
    const question = warn?.(values);
    if (question === undefined) return mutation.mutate(values);
    confirmDanger({ ...question, mild: true, onConfirm: () => mutation.mutate(values) });
  }, setRefused);
  return {
    creating,
    before,
    values: current,
    errors: form.errors as FieldErrors<V>,
    /** The errors of a save that was refused, here or by the server; another object after each. */
    refused,
    /** Errors in parts of the field are cleared with it. */
    set: (name: keyof V & string, value: unknown) => {
      const inside = Object.keys(form.errors).filter((path) => path.startsWith(`${name}.`));
      for (const path of inside) form.clearFieldError(path);
      form.setFieldValue(name, value as never);
    },
    submit,
    saving: mutation.isPending,
  };
}
export type EntityForm<V extends object> = Pick<
  ReturnType<typeof useEntityForm<V, unknown>>,
  'creating' | 'before' | 'values' | 'errors' | 'refused' | 'set' | 'submit' | 'saving'
>;
