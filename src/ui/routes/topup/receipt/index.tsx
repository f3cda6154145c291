/** The receipt of a payment, a sheet for the printer (docs/rules/payments.md#receipts). */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Pencil, Printer } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { payerFields } from '../../../../core/entities/payer.ts';
import { client } from '../../../client/api.ts';
import { useUser } from '../../../client/session.ts';
import { PageHeader } from '../../../components/page.tsx';
import { LazyPayerDialog } from '../../../components/payer/lazy.ts';
import { FailedState, LoadingRows } from '../../../components/states.tsx';
import { usePhone } from '../../../hooks/use-phone.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { queryKeys } from '../../../queries/query-keys.ts';
import { useRefreshSelf } from '../../../queries/use-invalidate.ts';
import { Paper } from './paper.tsx';
import classes from './receipt.module.css';

export function ReceiptScreen() {
  const { t } = useTranslation();
  const user = useUser();
  const refreshSelf = useRefreshSelf();
  const [parameters] = useSearchParams();
  const order = parameters.get('order') ?? '';
  const [isEditing, setIsEditing] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.topUp.receipt(order, user?.id),
    queryFn: () => client.topUp.receipt({ trade_no: order }),
  });
  const isOwn =
    data !== undefined && (data.order.user_id === undefined || data.order.user_id === user?.id);
  const isNamed = data !== undefined && payerFields.some((name) => data[name] !== '');
  const phone = usePhone();
  const icon = { size: 16, strokeWidth: 1.75 };
  const edit = isOwn && (
    <Button variant="default" leftSection={<Pencil {...icon} />} onClick={() => setIsEditing(true)}>
      {t(isNamed ? 'receipt.edit' : 'receipt.add')}
    </Button>
  );
  return (
    <div className={classes.page}>
      <PageHeader
        title={t('receipt.title')}
        actions={
          <>
            {!phone && (
              <Button
                component={Link}
                to="/topup/history"
                variant="default"
                leftSection={<ArrowLeft {...icon} />}
              >
                {t('receipt.history')}
              </Button>
            )}
            {!phone && edit}
            {data !== undefined && (
              <Button leftSection={<Printer {...icon} />} onClick={() => window.print()}>
                {t('receipt.print')}
              </Button>
            )}
          </>
        }
      />
      {data === undefined && error === null && <LoadingRows rows={8} height={48} />}
      {data === undefined && error !== null && (
        <FailedState title={t('receipt.failed')} error={error} onRetry={() => void refetch()} />
      )}
      {data !== undefined && <Paper receipt={data} />}
      {phone && <div className={classes.below}>{edit}</div>}
      {isEditing && data !== undefined && (
        <Suspense>
          <LazyPayerDialog
            payer={{
              payer_name: data.payer_name,
              payer_address: data.payer_address,
              payer_tax_number: data.payer_tax_number,
            }}
            onSaved={() => Promise.all([refetch(), refreshSelf()])}
            onClose={() => setIsEditing(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
