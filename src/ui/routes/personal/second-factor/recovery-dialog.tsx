/** New recovery codes on a ticket, once. */
import { Button } from '@mantine/core';
import { Check, Copy, Download } from 'lucide-react';
import { downloadText } from '../../../browser/download.ts';
import { TicketDialog } from '../../../components/ticket-dialog.tsx';
import { useCopy } from '../../../components/use-copy.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import { useStatus } from '../../../queries/use-status.ts';

export function RecoveryDialog({
  codes,
  onClose,
}: {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const { copy, copied } = useCopy();
  const status = useStatus();
  const text = codes.join('\n');
  const fileName = `${status?.system_name ?? 'site'}-recovery-codes.txt`;
  return (
    <TicketDialog
      title={t('factor.codes.title', { count: codes.length })}
      size={520}
      hint={t('factor.codes.once')}
      secrets={codes.map((code) => ({
        text: code,
        copyLabel: t('factor.codes.copyOne', { code: code.slice(0, 5) }),
      }))}
      onClose={onClose}
      foot={
        <>
          <Button
            data-autofocus
            leftSection={<Download size={16} />}
            onClick={() => downloadText(fileName, `${text}\n`)}
          >
            {t('factor.codes.download')}
          </Button>
          <Button
            variant="default"
            leftSection={copied ? <Check size={16} /> : <Copy size={16} />}
            onClick={() => void copy(text)}
          >
            {copied ? t('common.copied') : t('factor.codes.copy')}
          </Button>
          <Button variant="subtle" color="gray" onClick={onClose}>
            {t('factor.codes.saved')}
          </Button>
        </>
      }
    />
  );
}
