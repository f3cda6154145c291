/**
 * The invite link, what invitations earned, and the way of the earnings to the balance
 * (docs/rules/accounts.md#invites).
 */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { UserEntity } from '../../../core/contract/entities.ts';
import { formatCount } from '../../../core/pricing/format.ts';
import { siteAddress } from '../../browser/site-address.ts';
import { client } from '../../client/api.ts';
import { failureText } from '../../client/failures.ts';
import { latePart } from '../../client/late-part.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { TotalText } from '../../components/money-text.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { useStatus } from '../../queries/use-status.ts';
import classes from './profile.module.css';

/** The address that an invited visitor opens. */
function inviteLink(code: string, configured: string, origin: string): string {
  return `${siteAddress(configured, origin)}/login?aff=${encodeURIComponent(code)}`;
}

const TransferDialog = latePart(async () => ({
  default: (await import('./transfer-dialog.tsx')).TransferDialog,
}));

type Inviter = Pick<UserEntity, 'id' | 'aff_count' | 'aff_quota' | 'aff_history_quota'>;

export function InviteCard({ self }: { readonly self: Inviter }) {
  const { t } = useTranslation();
  const status = useStatus();
  const { total } = useMoney();
  const [transferring, setTransferring] = useState(false);
  const {
    data: code,
    error,
    refetch,
  } = useQuery({
    queryKey: queryKeys.inviteCode(self.id),
    queryFn: () => client.self.inviteCode(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const link =
    code === undefined
      ? ''
      : inviteLink(code, status?.server_address ?? '', window.location.origin);
  const figures = [
    [t('profile.invite.pending'), <TotalText key="pending" quota={self.aff_quota} />],
    [t('profile.invite.total'), <TotalText key="total" quota={self.aff_history_quota} />],
    [
      t('profile.invite.count'),
      t('profile.invite.people', { count: self.aff_count, number: formatCount(self.aff_count) }),
    ],
  ] as const;
  const minimum = status?.quota_per_unit ?? 0;
  const tooSmall = self.aff_quota < minimum;
  return (
    <section aria-labelledby="personal-invite">
      <h2 id="personal-invite" className={classes.title}>
        {t('profile.invite')}
      </h2>
      {error !== null && code === undefined ? (
        <p role="alert">
          {failureText(error)}{' '}
          <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
            {t('common.retry')}
          </Button>
        </p>
      ) : (
        <div className={classes.link}>
          <code>{link}</code>
          {link !== '' && <CopyButton text={link} label={t('profile.invite.copy')} />}
        </div>
      )}
      <div className={classes.earnings}>
        <dl>
          {figures.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <Button variant="default" disabled={tooSmall} onClick={() => setTransferring(true)}>
          {t('profile.transfer')}
        </Button>
      </div>
      {tooSmall && (
        <p className={classes.hint}>
          {t('profile.transfer.least', { amount: total(minimum).text })}
        </p>
      )}
      <Suspense fallback={null}>
        {transferring && (
          <TransferDialog
            available={self.aff_quota}
            minimum={minimum}
            onClose={() => setTransferring(false)}
          />
        )}
      </Suspense>
    </section>
  );
}
