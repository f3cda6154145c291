/** Whether conversations are kept on the server. */
import { Switch } from '@mantine/core';
import { confirmDanger } from '../../../components/confirm-danger.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import { useHistorySwitch } from './use-server-history.ts';

export function HistorySwitch() {
  const { t } = useTranslation();
  const { isOn, isBusy, change } = useHistorySwitch();
  return (
    <Switch
      label={t('playground.onServer')}
      description={t('playground.onServer.hint')}
      aria-busy={isBusy}
      disabled={isOn === undefined}
      checked={isOn === true}
      onChange={(event) => {
        if (isBusy) return;
        if (event.currentTarget.checked) return change(true);
        confirmDanger({
          title: t('playground.onServer.off.title'),
          text: t('playground.onServer.off.text'),
          confirm: t('playground.onServer.off'),
          onConfirm: () => change(false),
        });
      }}
    />
  );
}
