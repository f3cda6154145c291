/** Two models side by side: the same messages, each with its own answers, times and costs. */
import { X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { IconButton } from '../../../components/icon-button.tsx';
import { CostText } from '../../../components/money-text.tsx';
import { ModelLogo } from '../../../components/provider-logo.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import { ChatColumn, type ChatColumnProps } from './chat-column.tsx';
import classes from './compare.module.css';
import type { Beside } from './use-chats.ts';

interface CompareColumnsProps extends ChatColumnProps {
  readonly model: string;
  readonly beside: Beside;
  readonly onClose: () => void;
}

export function CompareColumns({ model, beside, onClose, ...column }: CompareColumnsProps) {
  return (
    <div className={classes.columns}>
      <Column {...column} model={model} />
      <Column {...column} {...beside} onClose={onClose} />
    </div>
  );
}

function Column({
  model,
  onClose,
  ...column
}: ChatColumnProps & { readonly model: string; readonly onClose?: () => void }) {
  const { t } = useTranslation();
  const { chat } = useSyncExternalStore(column.store.subscribe, column.store.settled);
  return (
    <section className={classes.column} aria-label={model}>
      <header className={classes.head}>
        <ModelLogo model={model} size={16} />
        <h2>{model}</h2>
        <CostText quota={chat.spent} />
        {onClose !== undefined && (
          <IconButton label={t('playground.compare.close')} onClick={onClose}>
            <X size={16} strokeWidth={1.75} />
          </IconButton>
        )}
      </header>
      <ChatColumn {...column} />
    </section>
  );
}
