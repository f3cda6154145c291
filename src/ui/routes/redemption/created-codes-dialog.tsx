/** New codes on a ticket, once: copied, or downloaded as a text file with one code per line. */
import { Button, Modal } from '@mantine/core';
import { Check, Copy, Download } from 'lucide-react';
import { downloadText } from '../../browser/download.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Ticket } from '../../components/ticket.tsx';
import { useCopy } from '../../components/use-copy.tsx';
import { useTranslation } from '../../i18n/index.ts';
import classes from './redemption.module.css';
import type { CreatedCodes } from './redemption-drawer.tsx';

export function CreatedCodesDialog({ name, keys, onClose }: CreatedCodes & { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { copy, copied } = useCopy();
  const title = t('redemption.created.title', { count: keys.length });
  const text = keys.join('\n');
  return (
    <Modal
      opened
      onClose={onClose}
      size={520}
      withCloseButton={false}
      styles={{ body: { padding: 0 } }}
      attributes={{ content: { 'aria-label': title } }}
    >
      <div className={classes.ticket}>
        <Ticket
          label={title}
          foot={
            <div className={classes.ticketFoot}>
              <Button
                data-autofocus
                leftSection={<Download size={16} />}
                onClick={() => downloadText(`${name === '' ? 'redemption-codes' : name}.txt`, `${text}\n`)}
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
            </div>
          }
        >
          <h2 className={classes.ticketTitle}>
            <Check size={16} color="var(--tp-ok-text)" aria-hidden="true" /> {title}
          </h2>
          <p className={classes.ticketHint}>{t('redemption.created.hint')}</p>
          <ul className={classes.keys}>
            {keys.map((key) => (
              <li key={key}>
                <code>{key}</code>
                <CopyButton text={key} label={t('redemption.copyKey', { name: key.slice(0, 4) })} />
              </li>
            ))}
          </ul>
        </Ticket>
      </div>
    </Modal>
  );
}
