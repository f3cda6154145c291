/**
 * State of a form that creates or edits one thing: values, what is wrong here and at the server,
 * and saving.
 */
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { CallError } from '../../core/contract/envelope.ts';
import {
  failureText,
  isUnreachable,
  leaveWhenExpired,
  toastFailure,
  toastSuccess,
} from '../client/failures.ts';
import { confirmDanger, type DangerQuestion } from '../components/confirm-danger.tsx';
import { useTranslation } from '../i18n/index.ts';
import { changedKeys } from './changed-keys.ts';
import type { FieldErrors, FormField } from './fields.ts';
import { useKeptDraft } from './kept-draft.ts';
import { useRepeatQuestion } from './use-repeat-question.ts';

interface EntityFormOptions<V extends object, R> {
  readonly creating: boolean;
  /** What was loaded, or the values of a new one. */
  readonly before: V;
  /**
   * What is stored now, read before saving: who would overwrite what others have saved meanwhile is
   * asked (docs/rules/console.md#overwriting). Undefined: a new one.
   */
  readonly reread: (() => Promise<V>) | undefined;
  /** What was stored at first, where the form begins with something else. */
  readonly stored?: V;
  readonly check: (values: V, before: V) => FieldErrors<V>;
  /** `changed`: the only fields that are sent. */
  readonly save: (values: V, changed: readonly (keyof V & string)[], before: V) => Promise<R>;
  readonly onSaved: (result: R) => void | Promise<void>;
  /**
   * The field, or the path in it, that a refusal of the server is about: it is shown there, any
   * other one above the buttons.
   */
  readonly fieldOf: (error: CallError) => (keyof FieldErrors<V> & string) | undefined;
  /** Asked before saving: not wrong, only unusual. */
  readonly warn?: (values: V) => Pick<DangerQuestion, 'title' | 'text' | 'confirm'> | undefined;
  /** Shown when something unchanged is saved. */
  readonly unchangedText?: string;
}

export function useEntityForm<V extends object, R>(options: EntityFormOptions<V, R>) {
  const { creating, reread, check, save, onSaved, fieldOf, warn, unchangedText } = options;
  const { t } = useTranslation();
  const [kept, keep] = useKeptDraft<{ readonly typed: Partial<V>; readonly over: Partial<V> }>(
    'form',
  );
  const [before, setBefore] = useState(options.before);
  // What was typed before the login expired was typed over what was stored then.
  const [stored, setStored] = useState<V>({ ...(options.stored ?? before), ...kept?.over });
  const fields = useRef<readonly FormField<V>[]>([]);
  const form = useForm<V>({
    // Over what is stored now: others may have changed it meanwhile.
    initialValues: { ...before, ...kept?.typed },
    validate: (values) => check(values, before),
  });
  const current = form.getValues();
  const changed = changedKeys(before, current);
  const changedOf = (whole: V) =>
    Object.fromEntries(changed.map((name) => [name, whole[name]])) as Partial<V>;
  keep(changed.length === 0 ? undefined : { typed: changedOf(current), over: changedOf(stored) });
  /** False: others have saved other values meanwhile, and the answer is to go on editing. */
  const mayOverwrite = async (values: V): Promise<boolean> => {
    if (reread === undefined) return true;
    const now = await reread();
    const moved = changedKeys(stored, now);
    const differs = changedKeys(now, values);
    const names = changedKeys(before, values).filter(
      (name) => moved.includes(name) && differs.includes(name),
    );
    if (names.length === 0) return true;
    const { askAboutFields, withStored } = await import('./overwritten.tsx');
    const meeting = { stored, now, values, fields: fields.current };
    if (await askAboutFields({ ...meeting, names })) return true;
    setStored(now);
    if (options.stored !== undefined) return false;
    setBefore(now);
    form.setValues(withStored(meeting));
    return false;
  };
  const [refused, setRefused] = useState<object>();
  const [problem, setProblem] = useState<string>();
  const repeat = useRepeatQuestion();
  const queryClient = useQueryClient();
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const mutation = useMutation({
    meta: { quiet: true },
    mutationFn: async (values: V) => {
      setProblem(undefined);
      if (!(await mayOverwrite(values)) || !(await repeat.mayRepeat())) return;
      await onSaved(await save(values, changedKeys(before, values), before));
    },
    onError: (error) => {
      if (leaveWhenExpired(error)) return;
      const field = error instanceof CallError ? fieldOf(error) : undefined;
      if (field !== undefined) {
        form.setFieldError(field, error.message);
        setRefused({});
        return;
      }
      // It may be gone, or be another one by now. A server that is away is waited for by the
      // banner.
      if (!isUnreachable(error)) void queryClient.invalidateQueries();
      if (!isOpen.current) return toastFailure(error);
      const unsure = creating ? repeat.note(error) : undefined;
      setProblem([failureText(error), unsure].filter((text) => text !== undefined).join(' · '));
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
    /** The fields that are drawn, which name and show what would be overwritten. */
    fields,
    /** The errors of a save that was refused, here or by the server; another object after each. */
    refused,
    /** Why it could not be saved, where no field is wrong. */
    problem,
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
  | 'creating'
  | 'before'
  | 'values'
  | 'errors'
  | 'fields'
  | 'refused'
  | 'problem'
  | 'set'
  | 'submit'
  | 'saving'
>;
