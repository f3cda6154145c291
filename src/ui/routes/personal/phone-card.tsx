/** The phone number of one's account (docs/rules/accounts.md#phone-binding). */
import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { UserEntity } from '../../../core/contract/entities.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { confirmDanger } from '../../components/confirm-danger.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { useRefreshSelf } from '../../queries/use-invalidate.ts';
import { useStatus } from '../../queries/use-status.ts';
import classes from './profile.module.css';

const PhoneDialog = lazy(async () => ({ default: (await import('./phone-dialog.tsx')).PhoneDialog }));

/** Nothing where phones are of no use: phone login is off, and none is bound. */
export function PhoneCard({ self }: { readonly self: Pick<UserEntity, 'phone'> }) {
  const { t } = useTranslation();
  const refresh = useRefreshSelf();
  const status = useStatus();
  const [binding, setBinding] = useState(false);
  const isBound = self.phone !== '';
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
      text: t('phone.unbind.text', { phone: self.phone }),
      confirm: t('phone.unbind'),
      onConfirm: () => unbind.mutate(),
    });
  return (
    <section aria-labelledby="personal-phone">
      <h2 id="personal-phone" className={classes.title}>
        {t('phone.number')}
      </h2>
      <Group justify="space-between" gap={8}>
        <span>{isBound ? self.phone : t('phone.none')}</span>
        <Group gap={8}>
          <Button variant="default" onClick={() => setBinding(true)}>
            {t(isBound ? 'phone.change' : 'phone.bind')}
          </Button>
          {isBound && (
            <Button variant="default" loading={unbind.isPending} onClick={ask}>
              {t('phone.unbind')}
            </Button>
          )}
        </Group>
      </Group>
      <Suspense fallback={null}>{binding && <PhoneDialog onClose={() => setBinding(false)} />}</Suspense>
    </section>
  );
}
