import { useTranslation } from '../../../i18n/index.ts';
import classes from './notifications.module.css';

/** What a webhook receives (docs/rules/notices.md#webhooks). */
export function PayloadSample({ username }: { readonly username: string }) {
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
