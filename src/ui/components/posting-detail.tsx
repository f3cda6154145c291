/** What a posting is about, with the way to it (docs/rules/ledger.md#subjects). */
import { Link } from 'react-router';
import type { LedgerEntity } from '../../core/contract/entities.ts';
import { subjectText } from '../../core/entities/posting-subject.ts';
import { methodByHand, paymentMethods } from '../../core/vocabulary/payment-methods.ts';
import { useIsAdmin } from '../client/session.ts';
import { currentLanguage, type Translate, useTranslation } from '../i18n/index.ts';

/** The word for a payment method; methods of imported orders may have none. */
export function methodWord(t: Translate, id: string): string {
  if (id === methodByHand) return t('paymentMethod.admin');
  const method = paymentMethods.find((entry) => entry.id === id);
  return method === undefined ? id : t(`paymentMethod.${method.id}`);
}

/** The screen that shows a subject; undefined: there is none, or not for this reader. */
function pathOf(
  { kind, id }: NonNullable<LedgerEntity['subject']>,
  forAdmin: boolean,
): string | undefined {
  if (id === '') return undefined;
  const at = (path: string, name: string) => `${path}?${new URLSearchParams({ [name]: id })}`;
  switch (kind) {
    case 'request':
      return at('/log', 'request');
    case 'task':
      return at('/task', 'id');
    case 'drawing':
      return at('/midjourney', 'id');
    case 'order':
      return at('/topup/history', 'q');
    case 'code':
      return forAdmin ? at('/redemption', 'q') : undefined;
    default:
      return forAdmin ? at('/user', 'q') : undefined;
  }
}

export function PostingDetail({ row }: { readonly row: LedgerEntity }) {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const text = subjectText(row, currentLanguage(), (id) => methodWord(t, id));
  const path = row.subject === null ? undefined : pathOf(row.subject, admin);
  if (path === undefined) return text;
  return (
    <Link to={path} title={text}>
      {text}
    </Link>
  );
}
