/** What a client needs: the address, and the paths of the protocols behind it. */
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { CopyButton } from '../../components/copy-button.tsx';
import classes from './base-url.module.css';
import layout from './detail.module.css';

const paths = [
  ['OpenAI', '/v1/chat/completions'],
  ['Anthropic', '/v1/messages'],
  ['Gemini', '/v1beta/models/…'],
] as const;

export function BaseUrl({ url }: { url: string | undefined }) {
  const { t } = useTranslation();
  return (
    <>
      <div className={layout.head}>
        <h2>{t('detail.base.title')}</h2>
      </div>
      {url !== undefined && (
        <div className={classes.url}>
          <code>{url}</code>
          <CopyButton text={url} />
        </div>
      )}
      <p className={classes.hint}>
        {t('detail.base.hint')} <Link to="/token?new=1">{t('detail.base.token')}</Link>
      </p>
      <dl className={classes.paths}>
        {paths.map(([name, path]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{path}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
