/**
 * Values of the notification settings, what is wrong with them, and saving
 * (docs/rules/accounts.md#user-settings).
 */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../../../core/contract/envelope.ts';
import { client } from '../../../client/api.ts';
import {
  leaveWhenExpired,
  toastFailure,
  toastProblem,
  toastSuccess,
} from '../../../client/failures.ts';
import { changedKeys } from '../../../form/changed-keys.ts';
import { type Translate, useTranslation } from '../../../i18n/index.ts';
import { type OwnSetting, readOwnSetting } from '../own-setting.ts';

export interface NotificationValues {
  readonly type: 'email' | 'webhook';
  readonly threshold: number | '';
  readonly email: string;
  readonly url: string;
  readonly secret: string;
}
type Problems = Partial<Record<keyof NotificationValues, string>>;

/** Suggested where the user has set none (quota). */
const suggestedThreshold = 500_000;
const address = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const valuesOf = (own: OwnSetting): NotificationValues => ({
  type: own.notify_type === 'webhook' ? 'webhook' : 'email',
  threshold: own.quota_warning_threshold ?? suggestedThreshold,
  email: own.notification_email,
  url: own.webhook_url,
  secret: '',
});

function check({ type, threshold, email, url }: NotificationValues, t: Translate): Problems {
  const target = url.trim();
  return {
    ...(!(typeof threshold === 'number' && Number.isSafeInteger(threshold) && threshold > 0) && {
      threshold: t('notify.threshold.invalid'),
    }),
    ...(email.trim() !== '' && !address.test(email.trim()) && { email: t('notify.email.invalid') }),
    ...(type === 'webhook' && target === '' && { url: t('notify.url.missing') }),
    ...(target !== '' && !URL.canParse(target) && { url: t('notify.url.https') }),
  };
}

type Name = keyof NotificationValues;

function pick(values: Partial<NotificationValues>, isWanted: (name: Name) => boolean) {
  const entries = (Object.entries(values) as [Name, never][]).filter(([name]) => isWanted(name));
  return Object.fromEntries(entries) as Partial<NotificationValues>;
}

/** The field that a refusal of the server is about. */
function fieldOf({ code, field }: CallError): keyof NotificationValues | undefined {
  if (code === 'webhook_url_invalid') return 'url';
  if (field === 'webhook_secret') return 'secret';
  if (field === 'notification_email') return 'email';
  return field === 'quota_warning_threshold' ? 'threshold' : undefined;
}

/** `setting`: the stored settings, JSON; `onSaved` reads them again. */
export function useNotificationForm(setting: string, onSaved: () => Promise<unknown>) {
  const { t } = useTranslation();
  const own = readOwnSetting(setting);
  const before = valuesOf(own);
  // Over what is stored, which may change meanwhile: in another tab, or by this form.
  const [typed, setTyped] = useState<Partial<NotificationValues>>({});
  const values = { ...before, ...typed };
  const [problems, setProblems] = useState<Problems>({});
  const save = useMutation({
    meta: { quiet: true },
    mutationFn: ({ type, threshold, email, url, secret }: Partial<NotificationValues>) =>
      client.self.updateSetting({
        ...(type !== undefined && { notify_type: type }),
        ...(threshold !== undefined && { quota_warning_threshold: Number(threshold) }),
        ...(email !== undefined && { notification_email: email.trim() }),
        ...(url !== undefined && { webhook_url: url.trim() }),
        ...(secret !== undefined && { webhook_secret: secret }),
      }),
    onSuccess: async (_, sent) => {
      await onSaved();
      // What was typed while the call was under way stays.
      setTyped((now) => pick(now, (name) => now[name] !== sent[name]));
      toastSuccess(t(sent.secret === '-' ? 'notify.secret.cleared' : 'personal.saved'));
    },
    onError: (error) => {
      if (leaveWhenExpired(error)) return;
      const field = error instanceof CallError ? fieldOf(error) : undefined;
      if (field === undefined) toastFailure(error, t('notify.failed'));
      else setProblems({ [field]: error.message });
    },
  });
  const test = useMutation({
    meta: { quiet: true },
    mutationFn: () => client.notice.sendTest(),
    onSuccess: () => toastSuccess(t('notify.test.sent')),
    onError: (error) => {
      if (leaveWhenExpired(error)) return;
      if (error instanceof CallError && error.code === 'test_notice_too_soon')
        toastProblem(error.message);
      else toastFailure(error, t('notify.test.failed'));
    },
  });
  const isNew = own.quota_warning_threshold === undefined;
  const changed = changedKeys(before, values);

  /** Whether the settings are stored as the form shows them. */
  const store = async (): Promise<boolean> => {
    const found = check(values, t);
    setProblems(found);
    if (Object.keys(found).length > 0) return false;
    const isSent = (name: Name) => changed.includes(name) || (isNew && name === 'threshold');
    return save.mutateAsync(pick(values, isSent)).then(
      () => true,
      () => false, // shown by the mutation
    );
  };
  return {
    values,
    problems,
    /** Names of fields that differ from what is stored. */
    changed,
    /** The user has set no threshold yet. */
    isNew,
    saving: save.isPending,
    testing: test.isPending,
    set: <K extends keyof NotificationValues>(name: K, value: NotificationValues[K]) => {
      setTyped((now) => ({ ...now, [name]: value }));
      setProblems({ ...problems, [name]: undefined });
    },
    discard: () => {
      setTyped({});
      setProblems({});
    },
    submit: async () => {
      if (changed.length === 0 && !isNew) return toastSuccess(t('common.nothingChanged'));
      await store();
    },
    /** Tests the settings that are stored; unsaved ones are stored first. */
    test: async () => {
      if (changed.length === 0 || (await store())) test.mutate();
    },
    clearSecret: () => save.mutate({ secret: '-' }),
  };
}
