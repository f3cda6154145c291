/** Address and secret of the webhook, loaded for those who use one. */
import { TextInput, UnstyledButton } from '@mantine/core';
import { SecretFieldInput } from '../../../form/secret-field.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import classes from './notifications.module.css';

/** What a webhook receives (docs/rules/notices.md#webhooks). */
function PayloadSample({ username }: { readonly username: string }) {
  const { t } = useTranslation();
  const body = {
    type: 'quota_exceed',
    title: t('notify.sample.title'),
    content: t('notify.sample.content', { name: username }),
    values: [username, '$0.85'],
    timestamp: 1_700_000_000,
  };
  return (
    <details className={classes.sample}>
      <summary>{t('notify.sample')}</summary>
      <pre>{JSON.stringify(body, null, 2)}</pre>
      <p>{t('notify.sample.signature')}</p>
    </details>
  );
}

interface WebhookFieldsProps {
  readonly username: string;
  readonly url: string;
  readonly secret: string;
  readonly problems: { readonly url?: string | undefined; readonly secret?: string | undefined };
  /** A secret is stored. */
  readonly stored: boolean;
  readonly onUrl: (url: string) => void;
  readonly onSecret: (secret: string) => void;
  readonly onClear: () => void;
}

export function WebhookFields({
  username,
  url,
  secret,
  problems,
  stored,
  onUrl,
  onSecret,
  onClear,
}: WebhookFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t('notify.url')}
        error={problems.url}
        description={problems.url === undefined ? t('notify.url.hint') : undefined}
        type="url"
        placeholder="https://"
        value={url}
        onChange={(event) => onUrl(event.currentTarget.value)}
      />
      <div>
        <SecretFieldInput
          field={{
            kind: 'secret',
            label: t('notify.secret'),
            hint: t('notify.secret.hint'),
            stored,
          }}
          value={secret}
          error={problems.secret}
          onChange={(value) => onSecret(String(value))}
        />
        {stored && (
          <UnstyledButton className={classes.clear} onClick={onClear}>
            {t('notify.secret.clear')}
          </UnstyledButton>
        )}
      </div>
      <PayloadSample username={username} />
    </>
  );
}
