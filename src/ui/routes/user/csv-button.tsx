/** Saves the users that the list shows as a table. */
import { ActionIcon, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { client } from '../../client/api.ts';
import { toastFailure } from '../../client/failures.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { usePhone } from '../../hooks/use-phone.ts';
import { useTranslation } from '../../i18n/index.ts';
import { matchOf, orderOf, type useUsers } from './use-users.ts';

export function CsvButton({ list }: { readonly list: ReturnType<typeof useUsers>['list'] }) {
  const { t } = useTranslation();
  const { quotaPerUnit } = useMoney();
  const phone = usePhone();
  const csv = useMutation({
    mutationFn: async () => {
      const { saveFile } = await import('../../client/save-file.ts');
      const { state } = list;
      await saveFile(
        await client.user.export({ ...matchOf(state, quotaPerUnit), ...orderOf(state) }),
      );
    },
    meta: { quiet: true },
    onError: (failure) => toastFailure(failure, t('user.csv.failed')),
  });
  const icon = <Download size={16} strokeWidth={1.75} />;
  const common = { variant: 'default', loading: csv.isPending, onClick: () => csv.mutate() };
  return phone ? (
    <ActionIcon {...common} size={44} aria-label={t('user.csv')}>
      {icon}
    </ActionIcon>
  ) : (
    <Button {...common} leftSection={icon}>
      {t('user.csv')}
    </Button>
  );
}
