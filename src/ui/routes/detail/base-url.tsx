/**
 * What a client needs: its base URL, a row for each kind of client
 * (docs/rules/console.md#base-url).
 */

import { Link } from 'react-router';
import { baseUrlOf, clientKinds, clientNames } from '../../components/client-kinds.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { useTranslation } from '../../i18n/index.ts';
import classes from './base-url.module.css';
import layout from './detail.module.css';

export function BaseUrl({ url }: { url: string | undefined }) {
  const { t } = useTranslation();
  return (
    <>
      <div className={layout.head}>
        <h2>{t('detail.base.title')}</h2>
      </div>
      {url !== undefined && (
        <dl className={classes.rows}>
          {clientKinds.map((kind) => (
            <div key={kind}>
              <dt>{clientNames[kind]}</dt>
              <dd>
                <code>{baseUrlOf(kind, url)}</code>
                <CopyButton
                  text={baseUrlOf(kind, url)}
                  label={t('detail.base.copy', { client: clientNames[kind] })}
                />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p className={classes.hint}>
        {t('detail.base.hint')} <Link to="/token?new=1">{t('detail.base.token')}</Link>
      </p>
    </>
  );
}
