/** New codes on a ticket, once: copied, or downloaded as a text file with one code per line. */
import { Button } from '@mantine/core';
import { Check, Copy, Download } from 'lucide-react';
import { downloadText } from '../../browser/download.ts';
import { TicketDialog } from '../../components/ticket-dialog.tsx';
import { useCopy } from '../../components/use-copy.tsx';
import { useTranslation } from '../../i18n/index.ts';
import type { CreatedCodes } from './redemption-drawer.tsx';

export function CreatedCodesDialog({
  name,
  keys,
  onClose,
}: CreatedCodes & { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { copy, copied } = useCopy();
  const title = t('redemption.created.title', { count: keys.length });
  const text = keys.join('\n');
  return (
    <TicketDialog
      {...{ title, onClose }}
      size={520}
      hint={t('redemption.created.hint')}
      secrets={keys.map((key) => ({
        text: key,
        copyLabel: t('redemption.copyKey', { name: key.slice(0, 4) }),
      }))}
      foot={
        <>
          <Button
            data-autofocus
            leftSection={<Download size={16} />}
            onClick={() =>
              downloadText(`${name === '' ? 'redemption-codes' : name}.txt`, `${text}\n`)
            }
          >
            {t('redemption.created.download')}
          </Button>
          <Button
            variant="default"
            leftSection={copied ? <Check size={16} /> : <Copy size={16} />}
            onClick={() => void copy(text)}
          >
            {copied ? t('common.copied') : t('redemption.created.copy', { count: keys.length })}
          </Button>
          <Button variant="subtle" color="gray" onClick={onClose}>
            {t('redemption.created.done')}
          </Button>
        </>
      }
    />
  );
}
