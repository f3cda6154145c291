/**
 * State of a settings form: what is stored, what was typed over it, and saving what changed in one
 * call.
 */
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { CallError } from '../../core/contract/envelope.ts';
import { isOptionKey, isSecretOption, type OptionKey } from '../../core/options/facts.ts';
import { client } from '../client/api.ts';
import { leaveWhenExpired, toastFailure, toastProblem, toastSuccess } from '../client/failures.ts';
import { useTranslation } from '../i18n/index.ts';
import { useRefreshOptions } from '../queries/use-invalidate.ts';
import type { StoredOptions } from '../queries/use-options.ts';
import { useKeptDraft } from './kept-draft.ts';
import { formText } from './option-fields.ts';

const loadChecks = () => import('./option-problem.ts');

type Texts = Readonly<Partial<Record<OptionKey, string>>>;
type Began = Partial<Record<OptionKey, StoredOptions>>;

const keysOf = (texts: Texts) => Object.keys(texts).filter(isOptionKey);
const without = (texts: Texts, keys: readonly OptionKey[]): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([key]) => !keys.includes(key as OptionKey)));

export function useOptionForm(options: StoredOptions) {
  const { t } = useTranslation();
  const refresh = useRefreshOptions();
  const [[kept, over] = [{}, {}], keep] = useKeptDraft<readonly [Texts, Began]>('options');
  const [typed, setTyped] = useState(kept);
  /** What was stored when somebody began to type over an option. */
  const began = useRef(over);
  keep([typed, began.current]);
  const [errors, setErrors] = useState<Texts>({});
  /** Switches on their way to the server, with the state they are to take. */
  const [switching, setSwitching] = useState<Texts>({});

  const before = (key: OptionKey) =>
    isSecretOption(key) ? '' : formText(key, options.texts.get(key) ?? '');
  const set = (key: OptionKey, text: string) => {
    // Ready when it is saved. A failure is reported then.
    void loadChecks().catch(() => undefined);
    setErrors((now) => without(now, [key]));
    if (typed[key] === undefined) began.current[key] = options;
    setTyped((now) => (text === before(key) ? without(now, [key]) : { ...now, [key]: text }));
  };
  const saving = useMutation({
    meta: { quiet: true },
    mutationFn: async (texts: Texts) => (await loadChecks()).saveOptions(texts, began.current),
    onSuccess: async (isSaved, texts) => {
      await refresh();
      if (!isSaved) return;
      // What was typed while the call was under way stays.
      setTyped((now) =>
        without(
          now,
          keysOf(texts).filter((key) => now[key] === texts[key]),
        ),
      );
      toastSuccess(t('setting.saved', { count: keysOf(texts).length }));
    },
    onError: (error) => {
      if (leaveWhenExpired(error)) return;
      const field = error instanceof CallError ? error.field : undefined;
      // What is shown at its field is not said again in a toast.
      if (field !== undefined && isOptionKey(field))
        setErrors({ [field]: (error as CallError).message });
      else toastFailure(error);
    },
  });
  /** Whether the checks of a save are still on their way: a second click saves nothing. */
  const isChecking = useRef(false);
  const save = async () => {
    if (isChecking.current) return;
    isChecking.current = true;
    const checks = await loadChecks().catch((error: unknown) => {
      toastFailure(error);
    });
    isChecking.current = false;
    if (!checks) return;
    const problems = checks.optionProblems(typed);
    setErrors(problems);
    if (keysOf(problems).length > 0) toastProblem(t('setting.checkInput'));
    else saving.mutate(typed);
  };
  /** Saved at once; a switch that the server refuses flips back. */
  const toggle = async (key: OptionKey, on: boolean) => {
    setSwitching((now) => ({ ...now, [key]: String(on) }));
    try {
      await client.option.set({ key, value: on });
      await refresh();
    } catch (error) {
      if (!leaveWhenExpired(error)) toastFailure(error);
    } finally {
      setSwitching((now) => without(now, [key]));
    }
  };
  return {
    options,
    changed: keysOf(typed),
    errors,
    before,
    text: (key: OptionKey) => typed[key] ?? before(key),
    set,
    save,
    saving: saving.isPending,
    discard: () => {
      setTyped({});
      setErrors({});
    },
    /** Drops what was typed over these options. */
    forget: (keys: readonly OptionKey[]) => setTyped((now) => without(now, keys)),
    /** The default as its field shows it; undefined where the stored value is the default. */
    preset: (key: OptionKey): string | undefined => {
      const text = options.defaults.get(key);
      return text === undefined ? undefined : formText(key, text);
    },
    /** Of a secret switch it is only known whether it is on. */
    isOn: (key: OptionKey) =>
      (switching[key] ??
        (isSecretOption(key) ? String(options.stored.has(key)) : options.texts.get(key))) ===
      'true',
    isSwitching: (key: OptionKey) => switching[key] !== undefined,
    toggle,
  };
}
export type OptionForm = ReturnType<typeof useOptionForm>;
