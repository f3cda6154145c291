/** A new key appears on a ticket. */
import { Button } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import type { TokenEntity } from '../../../core/contract/entities.ts';
import { baseUrlOf, clientKinds, clientNames } from '../../components/client-kinds.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { TicketDialog } from '../../components/ticket-dialog.tsx';
import { useCopy } from '../../components/use-copy.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { useOverview } from '../../queries/use-overview.ts';
import classes from './token.module.css';
import { TokenSamples } from './token-samples.tsx';

export function TokenTicket({
  tokens,
  onClose,
}: {
  tokens: readonly TokenEntity[];
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { copy, copied } = useCopy();
  const { data: overview } = useOverview();
  const [first] = tokens;
  if (first === undefined) return null;
  const many = tokens.length > 1;
  const title = many
    ? t('token.ticket.title.many', { count: tokens.length })
    : t('token.ticket.title', { name: first.name });
  const all = tokens.map((token) => `sk-${token.key}`).join('\n');
  return (
    <TicketDialog
      {...{ title, onClose }}
      size={600}
      hint={t('token.ticket.hint')}
      secrets={tokens.map((token) => ({
        text: `sk-${token.key}`,
        name: many ? token.name : undefined,
        copyLabel: t('token.copyKey', { name: token.name }),
      }))}
      foot={
        <>
          <Button
            data-autofocus
            leftSection={copied ? <Check size={16} /> : <Copy size={16} />}
            onClick={() => void copy(all)}
          >
            {copied ? t('common.copied') : t(many ? 'token.ticket.copyAll' : 'token.ticket.copy')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('token.ticket.done')}
          </Button>
        </>
      }
    >
      {overview !== undefined && (
        <dl className={classes.ticketBase}>
          {clientKinds.map((kind) => (
            <div key={kind}>
              <dt>{t('token.ticket.base', { client: clientNames[kind] })}</dt>
              <dd>
                <code>{baseUrlOf(kind, overview.base_url)}</code>
                <CopyButton
                  text={baseUrlOf(kind, overview.base_url)}
                  label={t('token.ticket.base.copy', { client: clientNames[kind] })}
                />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {overview !== undefined && <TokenSamples token={first} site={overview.base_url} />}
    </TicketDialog>
  );
}
