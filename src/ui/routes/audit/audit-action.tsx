/** What was done, as a sentence, and the actions as a filter. */
import type { AuditEntity } from '../../../core/contract/entities.ts';
import { auditSentence, auditSentenceText } from '../../../core/entities/audit-sentence.ts';
import {
  type AuditAction,
  auditActionName,
  auditActions,
  auditAreas,
} from '../../../core/vocabulary/audit-actions.ts';
import { currentLanguage, type TextKey, useTranslation } from '../../i18n/index.ts';
import type { FilterOption } from '../../list/filter-bar.tsx';
import classes from './audit.module.css';
import { useAuditTexts } from './use-audit-detail.ts';

const codes = Object.keys(auditActions) as readonly AuditAction[];

function ActorName({ entry }: { readonly entry: AuditEntity }) {
  const { t } = useTranslation();
  const { actor_id, actor_name } = entry;
  if (actor_id === 0 && actor_name === '') return t('audit.actor.program');
  return <span title={`#${actor_id}`}>{actor_name === '' ? `#${actor_id}` : actor_name}</span>;
}

/** Ann disabled channel Mistral. */
export function AuditSentence({ entry }: { readonly entry: AuditEntity }) {
  const [before, target, after] = auditSentence(entry, currentLanguage(), useAuditTexts()).parts;
  return (
    <span className={classes.sentence} title={entry.target === target ? '' : entry.target}>
      <b>
        <ActorName entry={entry} />
      </b>{' '}
      {before}
      {target !== '' && <b>{target}</b>}
      {after}
    </span>
  );
}

/** The same as text, for names of rows. */
export function useSentence(): (entry: AuditEntity) => string {
  const texts = useAuditTexts();
  return (entry) =>
    `${entry.actor_name} ${auditSentenceText(entry, currentLanguage(), texts)}`.trim();
}

/** All of an area, then its actions, as filters of the call. */
export function useActionOptions(): readonly FilterOption[] {
  const { t } = useTranslation();
  return auditAreas.flatMap((area) => [
    { value: `${area}.`, label: t(`audit.area.${area}` as TextKey) },
    ...codes
      .filter((code) => code.startsWith(`${area}.`))
      .map((value) => ({ value, label: auditActionName(value, currentLanguage()) })),
  ]);
}
