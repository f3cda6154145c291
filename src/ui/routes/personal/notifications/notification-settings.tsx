/** When and where one is warned of a low balance, and a test of it (docs/rules/notices.md#quota-warning). */
import { Button, Group, SegmentedControl, TextInput, UnstyledButton } from '@mantine/core';
import type { FormEvent } from 'react';
import type { UserEntity } from '../../../../core/contract/entities.ts';
import { QuickPicks } from '../../../form/quick-picks.tsx';
import { QuotaField } from '../../../form/quota-field.tsx';
import { SecretFieldInput } from '../../../form/secret-field.tsx';
import { useLeaveQuestion } from '../../../form/use-leave-question.ts';
import { useMoney } from '../../../hooks/use-money.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { hasWebhookSecret } from '../own-setting.ts';
import classes from './notifications.module.css';
import { PayloadSample } from './payload-sample.tsx';
import { useNotificationForm } from './use-notification-form.ts';

/** Quota. */
const picks = [100_000, 500_000, 1_000_000, 5_000_000];

interface NotificationSettingsProps {
  readonly self: Pick<UserEntity, 'username' | 'email' | 'setting'>;
  /** Reads the settings again. */
  readonly onSaved: () => Promise<unknown>;
}

export function NotificationSettings({ self, onSaved }: NotificationSettingsProps) {
  const { t } = useTranslation();
  const { total } = useMoney();
  const form = useNotificationForm(self.setting, onSaved);
  const { values, problems, set, changed } = form;
  const labels = {
    type: t('notify.type'),
    threshold: t('notify.threshold'),
    email: t('notify.email'),
    url: t('notify.url'),
    secret: t('notify.secret'),
  };
  useLeaveQuestion(changed.map((name) => labels[name]));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.submit();
  };
  /** What is wrong takes the place of the hint. */
  const field = (name: keyof typeof labels, hint: string) => ({
    label: labels[name],
    error: problems[name],
    description: problems[name] === undefined ? hint : undefined,
  });
  const isDirty = changed.length > 0;
  const stored = hasWebhookSecret(self.setting);
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <SegmentedControl
        fullWidth
        aria-label={labels.type}
        data={(['email', 'webhook'] as const).map((value) => ({ value, label: t(`notify.type.${value}`) }))}
        value={values.type}
        onChange={(type) => set('type', type === 'webhook' ? 'webhook' : 'email')}
      />
      <div>
        <QuotaField
          {...field('threshold', t(form.isNew ? 'notify.threshold.unset' : 'notify.threshold.hint'))}
          value={values.threshold}
          onChange={(value) => set('threshold', typeof value === 'number' ? value : '')}
          clampBehavior="none"
        />
        <QuickPicks
          label={labels.threshold}
          picks={picks.map((quota) => ({ label: total(quota).text, onPick: () => set('threshold', quota) }))}
        />
      </div>
      {values.type === 'email' ? (
        <TextInput
          {...field('email', self.email === '' ? t('notify.email.none') : t('notify.email.bound', { email: self.email }))}
          type="email"
          autoComplete="email"
          value={values.email}
          onChange={(event) => set('email', event.currentTarget.value)}
        />
      ) : (
        <>
          <TextInput
            {...field('url', t('notify.url.hint'))}
            type="url"
            placeholder="https://"
            value={values.url}
            onChange={(event) => set('url', event.currentTarget.value)}
          />
          <div>
            <SecretFieldInput
              field={{ kind: 'secret', label: labels.secret, hint: t('notify.secret.hint'), stored }}
              value={values.secret}
              error={problems.secret}
              onChange={(value) => set('secret', String(value))}
            />
            {stored && (
              <UnstyledButton className={classes.clear} onClick={form.clearSecret}>
                {t('notify.secret.clear')}
              </UnstyledButton>
            )}
          </div>
          <PayloadSample username={self.username} />
        </>
      )}
      <Group gap={8}>
        <Button type="submit" loading={form.saving}>
          {t('common.save')}
        </Button>
        {isDirty && (
          <Button variant="default" disabled={form.saving} onClick={form.discard}>
            {t('notify.discard')}
          </Button>
        )}
        <Button variant="default" loading={form.testing} disabled={form.saving} onClick={() => void form.test()}>
          {t(isDirty ? 'notify.test.save' : 'notify.test')}
        </Button>
      </Group>
    </form>
  );
}
