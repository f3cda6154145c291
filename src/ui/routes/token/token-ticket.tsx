/** A new key appears on a ticket. */
import { Button, Modal } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import type { TokenEntity } from '../../../core/contract/entities.ts';
import { baseUrlOf, clientKinds, clientNames } from '../../components/client-kinds.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Ticket } from '../../components/ticket.tsx';
import { useCopy } from '../../components/use-copy.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { useOverview } from '../../queries/use-overview.ts';
import classes from './token.module.css';
import { TokenSamples } from './token-samples.tsx';

export function TokenTicket({ tokens, onClose }: { tokens: readonly TokenEntity[]; onClose: () => void }) {
  const { t } = useTranslation();
  const { copy, copied } = useCopy();
  const { data: overview } = useOverview();
  const [first] = tokens;
  if (first === undefined) return null;
  const many = tokens.length > 1;
  const title = many ? t('token.ticket.title.many', { count: tokens.length }) : t('token.ticket.title', { name: first.name });
  const all = tokens.map((token) => `sk-${token.key}`).join('\n');
  return (
    <Modal
      opened
      onClose={onClose}
      size={600}
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
                leftSection={copied ? <Check size={16} /> : <Copy size={16} />}
                onClick={() => void copy(all)}
              >
                {copied ? t('common.copied') : t(many ? 'token.ticket.copyAll' : 'token.ticket.copy')}
              </Button>
              <Button variant="default" onClick={onClose}>
                {t('token.ticket.done')}
              </Button>
            </div>
          }
        >
          <h2 className={classes.ticketTitle}>
            <Check size={16} color="var(--tp-ok-text)" aria-hidden="true" /> {title}
          </h2>
          <p className={classes.ticketHint}>{t('token.ticket.hint')}</p>
          <ul className={classes.keys}>
            {tokens.map((token) => (
              <li key={token.id}>
                {many && <span>{token.name}</span>}
                <code>sk-{token.key}</code>
                <CopyButton text={`sk-${token.key}`} label={t('token.copyKey', { name: token.name })} />
              </li>
            ))}
          </ul>
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
        </Ticket>
      </div>
    </Modal>
  );
}
