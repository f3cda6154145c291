/** What the operator should look at, each with the way to its remedy (docs/rules/console.md#inbox). */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { LossEntity } from '../../../core/contract/losses.ts';
import type { Overview } from '../../../core/contract/overview.ts';
import { client } from '../../client/api.ts';
import { useUser } from '../../client/session.ts';
import { useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import layout from './detail.module.css';
import type { ExpiringTokens } from './expiring-tokens.ts';
import classes from './inbox.module.css';
import { useInboxEntries } from './inbox-entries.tsx';

/** Entries that are shown before somebody wants all. */
const shown = 5;
/** Where the site loses money now; undefined before the first answer. */
export function useLosses(enabled: boolean): readonly LossEntity[] | undefined {
  const user = useUser();
  const { data, isError } = useQuery({
    queryKey: queryKeys.usage.losses(user?.id),
    queryFn: () => client.losses.list({}),
    enabled,
  });
  return data ?? (isError ? [] : undefined);
}

export function Inbox({
  overview,
  losses,
  expiring,
}: {
  readonly overview: Overview;
  readonly losses: readonly LossEntity[];
  readonly expiring: ExpiringTokens;
}) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const entries = useInboxEntries(overview, losses, expiring);
  if (entries.length === 0) return null;
  return (
    <section className={classes.inbox} aria-label={t('detail.inbox')}>
      <div className={layout.head}>
        <h2>{t('detail.inbox')}</h2>
        <span className={layout.hint}>{entries.length}</span>
      </div>
      <ul>
        {entries.slice(0, all ? undefined : shown).map(({ key, text, to, act }) => (
          <li key={key}>
            <div>{text}</div>
            {to !== undefined && <Link to={to}>{t('detail.inbox.open')}</Link>}
            {act !== undefined && (
              <button type="button" onClick={act.onAct}>
                {act.label}
              </button>
            )}
          </li>
        ))}
      </ul>
      {entries.length > shown && !all && (
        <button type="button" onClick={() => setAll(true)}>
          {t('detail.inbox.all', { count: entries.length })}
        </button>
      )}
    </section>
  );
}
