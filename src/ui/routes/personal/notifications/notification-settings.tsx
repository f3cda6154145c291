/**
 * When and where one is warned of a low balance, and a test of it
 * (docs/rules/notices.md#quota-warning).
 */
import { Button, Group, SegmentedControl, TextInput } from '@mantine/core';
import { type FormEvent, Suspense } from 'react';
import type { UserEntity } from '../../../../core/contract/entities.ts';
import { latePart } from '../../../client/late-part.ts';
import { QuickPicks } from '../../../form/quick-picks.tsx';
import { useLeaveQuestion } from '../../../form/use-leave-question.ts';
import { useMoney } from '../../../hooks/use-money.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { hasWebhookSecret } from '../own-setting.ts';
import classes from './notifications.module.css';
import { useNotificationForm } from './use-notification-form.ts';

/** Quota. */
const picks = [100_000, 500_000, 1_000_000, 5_000_000];

interface ThresholdFieldProps {
  readonly label: string;
  readonly description: string | undefined;
  readonly error: string | undefined;
  readonly value: number | '';
  readonly onChange: (value: number | '') => void;
}

/**
 * A quota with what it is worth, as plain text: it shows with the screen, and number fields weigh
 * more.
 */
function ThresholdField({ value, onChange, ...field }: ThresholdFieldProps) {
  const { t } = useTranslation();
  const { total, display } = useMoney();
  const hasWorth = display.inCurrency && typeof value === 'number' && Number.isSafeInteger(value);
  const worth = hasWorth ? t('common.equals', { amount: total(value).text }) : undefined;
  return (
    <div>
      <TextInput
        {...field}
        inputMode="numeric"
        value={String(value)}
        onChange={(event) => {
          const digits = event.currentTarget.value.replace(/\D/g, '').slice(0, 16);
          onChange(digits === '' ? '' : Number(digits));
        }}
        {...(worth !== undefined && {
          rightSection: <span className={classes.worth}>{worth}</span>,
          rightSectionWidth: worth.length * 8 + 20,
        })}
      />
      <QuickPicks
        label={field.label}
        picks={picks.map((quota) => ({ label: total(quota).text, onPick: () => onChange(quota) }))}
      />
    </div>
  );
}

const WebhookFields = latePart(async () => ({
  default: (await import('./webhook-fields.tsx')).WebhookFields,
}));

interface NotificationSettingsProps {
  readonly self: Pick<UserEntity, 'username' | 'email' | 'setting'>;
  /** Reads the settings again. */
  readonly onSaved: () => Promise<unknown>;
}

export function NotificationSettings({ self, onSaved }: NotificationSettingsProps) {
  const { t } = useTranslation();
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
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <SegmentedControl
        fullWidth
        aria-label={labels.type}
        data={(['email', 'webhook'] as const).map((value) => ({
          value,
          label: t(`notify.type.${value}`),
        }))}
        value={values.type}
        onChange={(type) => set('type', type === 'webhook' ? 'webhook' : 'email')}
      />
      <ThresholdField
        {...field('threshold', t(form.isNew ? 'notify.threshold.unset' : 'notify.threshold.hint'))}
        value={values.threshold}
        onChange={(value) => set('threshold', value)}
      />
      {values.type === 'email' ? (
        <TextInput
          {...field(
            'email',
            self.email === ''
              ? t('notify.email.none')
              : t('notify.email.bound', { email: self.email }),
          )}
          type="email"
          autoComplete="email"
          value={values.email}
          onChange={(event) => set('email', event.currentTarget.value)}
        />
      ) : (
        <Suspense fallback={null}>
          <WebhookFields
            {...{ username: self.username, url: values.url, secret: values.secret, problems }}
            stored={hasWebhookSecret(self.setting)}
            onUrl={(url) => set('url', url)}
            onSecret={(secret) => set('secret', secret)}
            onClear={form.clearSecret}
          />
        </Suspense>
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
        <Button
          variant="default"
          loading={form.testing}
          disabled={form.saving}
          onClick={() => void form.test()}
        >
          {t(isDirty ? 'notify.test.save' : 'notify.test')}
        </Button>
      </Group>
    </form>
  );
}
