/** One code in full: to read it out, and to see who redeemed it and when. */

import { useQuery } from '@tanstack/react-query';
import type { RedemptionEntity } from '../../../core/contract/entities.ts';
import { client } from '../../client/api.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TotalText } from '../../components/money-text.tsx';
import { fullTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import classes from './redemption.module.css';
import { RedemptionExpiry, RedemptionState } from './redemption-columns.tsx';

export function CodeDialog({
  code,
  onClose,
}: {
  readonly code: RedemptionEntity;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const facts = [
    [t('redemption.column.status'), <RedemptionState key="state" code={code} />],
    [t('redemption.column.quota'), <TotalText key="quota" quota={code.quota} />],
    [t('redemption.column.expires'), <RedemptionExpiry key="expires" code={code} />],
    [t('redemption.column.created'), fullTime(code.created_time)],
    ...(code.used_user_id === 0
      ? []
      : [
          [t('redemption.redeemedBy'), <UserName key="user" id={code.used_user_id} />] as const,
          [t('redemption.redeemedAt'), fullTime(code.redeemed_time)] as const,
        ]),
  ] as const;
  return (
    <Dialog
      opened
      closeButtonProps={{ 'aria-label': t('common.close') }}
      onClose={onClose}
      size={440}
      title={`${code.name} #${code.id}`}
    >
      <div className={classes.whole}>
        <code data-autofocus>{code.key}</code>
        <CopyButton text={code.key} label={t('redemption.copyKey', { name: code.name })} />
      </div>
      <dl className={classes.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

/** The id alone where the reader may not see the user. */
function UserName({ id }: { id: number }) {
  const { t } = useTranslation();
  const query = {
    queryKey: queryKeys.user.of(id),
    queryFn: () => client.user.get({ id }),
    retry: false,
    meta: { quiet: true },
  };
  const { data } = useQuery(query);
  const text = t('redemption.user', { id });
  return data === undefined ? text : `${data.username} · ${text}`;
}
