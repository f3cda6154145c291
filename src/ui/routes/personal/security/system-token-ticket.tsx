/** A new system access token, shown once (docs/rules/accounts.md#system-access-token). */
import { Button } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useUser } from '../../../client/session.ts';
import { TicketDialog } from '../../../components/ticket-dialog.tsx';
import { useCopy } from '../../../components/use-copy.tsx';
import { useTranslation } from '../../../i18n/index.ts';

interface SystemTokenTicketProps {
  readonly token: string;
  /** It is in the clipboard already. */
  readonly copied: boolean;
  readonly onClose: () => void;
}

export function SystemTokenTicket({ token, copied: wasCopied, onClose }: SystemTokenTicketProps) {
  const { t } = useTranslation();
  const { copy, copied } = useCopy();
  const id = useUser()?.id ?? 0;
  return (
    <TicketDialog
      title={t('security.systemToken.title')}
      hint={t(wasCopied ? 'security.systemToken.onceCopied' : 'security.systemToken.once', { id })}
      size={480}
      secrets={[{ text: token, copyLabel: t('security.systemToken.copy') }]}
      onClose={onClose}
      foot={
        <>
          <Button
            data-autofocus
            leftSection={copied ? <Check size={16} /> : <Copy size={16} />}
            onClick={() => void copy(token)}
          >
            {copied ? t('common.copied') : t('security.systemToken.copy')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('security.systemToken.close')}
          </Button>
        </>
      }
    />
  );
}
