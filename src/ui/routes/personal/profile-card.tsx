/** Avatar, name, role, id and group; balance, what was spent, and the number of requests. */
import { Fragment, useEffect } from 'react';
import type { UserEntity } from '../../../core/contract/entities.ts';
import { formatCount } from '../../../core/pricing/format.ts';
import { nameOf } from '../../client/session.ts';
import { TotalText } from '../../components/money-text.tsx';
import { Portrait } from '../../components/portrait.tsx';
import { ValueTag } from '../../components/tag.tsx';
import { dateText } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';
import { useStatus } from '../../queries/use-status.ts';
import classes from './profile.module.css';

export function ProfileCard({ self }: { readonly self: UserEntity }) {
  const { t } = useTranslation();
  const site = useStatus()?.system_name;
  const title = t('shell.item.personal');
  useEffect(() => {
    document.title = site === undefined ? title : `${title} · ${site}`;
  }, [title, site]);
  const name = nameOf(self);
  const facts = [
    `@${self.username}`,
    `ID ${self.id}`,
    t('profile.group', { name: self.group }),
    ...(self.created_at > 0 ? [t('profile.joined', { date: dateText(self.created_at) })] : []),
  ];
  const figures = [
    [t('profile.balance'), <TotalText key="balance" quota={self.quota} />],
    [t('profile.used'), <TotalText key="used" quota={self.used_quota} />],
    [t('profile.requests'), formatCount(self.request_count)],
  ] as const;
  return (
    <header className={classes.profile}>
      <Portrait className={classes.avatar} address={self.portrait} name={name} />
      <div className={classes.who}>
        <h1 className={classes.name}>
          <span>{name}</span>
          <ValueTag tone="vio">{t(wordKey('role', self.role))}</ValueTag>
        </h1>
        <p className={classes.facts}>
          {facts.map((fact, index) => (
            <Fragment key={fact}>
              {index > 0 && ' · '}
              <span>{fact}</span>
            </Fragment>
          ))}
        </p>
      </div>
      <dl className={classes.figures}>
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </header>
  );
}
