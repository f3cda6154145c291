/** The phone number of one's account (docs/rules/accounts.md#phone-binding). */

import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Smartphone } from 'lucide-react';
import { Suspense, useState } from 'react';
import { client } from '../../../client/api.ts';
import { toastSuccess } from '../../../client/failures.ts';
import { latePart } from '../../../client/late-part.ts';
import { confirmDanger } from '../../../components/confirm-danger.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import { useRefreshSelf } from '../../../queries/use-invalidate.ts';
import { useStatus } from '../../../queries/use-status.ts';
import { BindingRow } from './binding-row.tsx';

const PhoneDialog = latePart(async () => ({
  default: (await import('./phone-dialog.tsx')).PhoneDialog,
}));

/** Nothing where phones are of no use: phone login is off, and none is bound. */
export function PhoneRow({ phone }: { readonly phone: string }) {
  const { t } = useTranslation();
  const refresh = useRefreshSelf();
  const status = useStatus();
  const [binding, setBinding] = useState(false);
  const isBound = phone !== '';
  const unbind = useMutation({
    mutationFn: () => client.phone.unbind(),
    onSuccess: async () => {
      await refresh();
      toastSuccess(t('phone.unbound'));
    },
  });
  if (status?.phone_login !== true && !isBound) return null;
  const ask = () =>
    confirmDanger({
      title: t('phone.unbind.title'),
      text: t('phone.unbind.text', { phone: phone }),
      confirm: t('phone.unbind'),
      onConfirm: () => unbind.mutate(),
    });
  const name = t('phone.number');
  return (
    <>
      <BindingRow
        icon={<Smartphone size={18} aria-hidden="true" />}
        name={name}
        value={isBound ? phone : t('identity.none')}
        isBound={isBound}
      >
        <Button
          variant="default"
          size="xs"
          aria-label={t(isBound ? 'identity.change.name' : 'identity.bind.name', { name })}
          onClick={() => setBinding(true)}
        >
          {t(isBound ? 'identity.email.change' : 'identity.bind')}
        </Button>
        {isBound && (
          <Button
            variant="default"
            size="xs"
            aria-label={t('identity.unbind.name', { name })}
            loading={unbind.isPending}
            onClick={ask}
          >
            {t('identity.unbind')}
          </Button>
        )}
      </BindingRow>
      <Suspense fallback={null}>
        {binding && <PhoneDialog onClose={() => setBinding(false)} />}
      </Suspense>
    </>
  );
}
