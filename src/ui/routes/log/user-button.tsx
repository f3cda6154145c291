/** Administrators click a user to see that user's details. */
import { Popover, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { formatCount } from '../../../core/pricing/format.ts';
import { client } from '../../client/api.ts';
import { failureText } from '../../client/failures.ts';
import { TotalText } from '../../components/money-text.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import classes from './log.module.css';

export function UserButton({ id, name }: { id: number; name: string }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-start" width={240} returnFocus>
      <Popover.Target>
        <button
          type="button"
          className={classes.user}
          aria-label={t('log.user.open', { name })}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {name}
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <UserFacts id={id} />
      </Popover.Dropdown>
    </Popover>
  );
}

function UserFacts({ id }: { id: number }) {
  const { t } = useTranslation();
  const { data, error } = useQuery({
    queryKey: queryKeys.user.of(id),
    queryFn: () => client.user.get({ id }),
  });
  if (error !== null) return <p className={classes.dim}>{failureText(error)}</p>;
  if (data === undefined) return <Skeleton height={112} />;
  const facts = [
    [t('log.user.balance'), <TotalText key="quota" quota={data.quota} />],
    [t('log.user.used'), <TotalText key="used" quota={data.used_quota} />],
    [t('log.user.requests'), formatCount(data.request_count)],
    [t('log.user.group'), data.group],
  ] as const;
  return (
    <>
      <h2 className={classes.factsTitle}>
        {data.username} <span className={classes.dim}>#{data.id}</span>
      </h2>
      <dl className={classes.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={classes.links}>
        <Link to={`/user?q=${data.id}`}>{t('log.user.manage')}</Link>
        <Link to={`/statement?user=${data.id}`}>{t('statement.title')}</Link>
      </div>
    </>
  );
}
