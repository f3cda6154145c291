/** Which version of an answer is shown, and the ways to the others. */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton } from '../../../components/icon-button.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import classes from './chat.module.css';
import type { ChatMessage } from './message.ts';
import type { MessageActions } from './message-actions.ts';
import { placeOf } from './versions.ts';

export function Versions({
  message,
  actions,
}: {
  message: ChatMessage;
  actions: Pick<MessageActions, 'onVersion'>;
}) {
  const { t } = useTranslation();
  const { place, count } = placeOf(message);
  return (
    <span className={classes.versions}>
      <IconButton
        size={24}
        label={t('playground.version.before')}
        disabled={place === 1}
        onClick={() => actions.onVersion(message.id, place - 1)}
      >
        <ChevronLeft size={14} />
      </IconButton>
      <span>{t('playground.version', { place, count })}</span>
      <IconButton
        size={24}
        label={t('playground.version.after')}
        disabled={place === count}
        onClick={() => actions.onVersion(message.id, place + 1)}
      >
        <ChevronRight size={14} />
      </IconButton>
    </span>
  );
}
