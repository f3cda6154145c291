/**
 * What a posting is about, in words: the same in the wallet, the statement, its file and the
 * terminal (docs/rules/ledger.md#subjects).
 */
import type { Language } from '../vocabulary/languages.ts';
import type { SubjectKind } from '../vocabulary/subject-kinds.ts';

/** `id`: what leads to it; '' where the reader may not open it or it has none. */
export interface PostingSubject {
  readonly kind: SubjectKind;
  readonly id: string;
  /** A model, a payment method, the name of a code or of a user; '' where it is not known. */
  readonly name: string;
}

interface DescribedPosting {
  readonly kind: string;
  readonly reference: string | null;
  readonly subject: PostingSubject | null;
}

/** With a name, and without. */
type Words = readonly [named: string, nameless: string];

const words: Readonly<Record<SubjectKind, Readonly<Record<Language, Words>>>> = {
  request: { en: ['{name}', '{id}'], zh: ['{name}', '{id}'] },
  task: { en: ['{name}, task {id}', 'task {id}'], zh: ['{name}，任务 {id}', '任务 {id}'] },
  drawing: {
    en: ['{name}, drawing {id}', 'drawing {id}'],
    zh: ['{name}，绘图 {id}', '绘图 {id}'],
  },
  order: { en: ['{name}, order {id}', 'order {id}'], zh: ['{name}，订单 {id}', '订单 {id}'] },
  code: { en: ['{name} (code {id})', 'code {id}'], zh: ['{name}（兑换码 {id}）', '兑换码 {id}'] },
  administrator: {
    en: ['by {name}', 'by an administrator'],
    zh: ['操作人：{name}', '由管理员操作'],
  },
  inviter: {
    en: ['invited by {name}', 'registered with an invite'],
    zh: ['邀请人：{name}', '通过邀请注册'],
  },
  account: { en: ['new account', 'new account'], zh: ['新账号', '新账号'] },
  invites: { en: ['invite earnings', 'invite earnings'], zh: ['邀请收益', '邀请收益'] },
};

/** Balances that a user begins with: their kind says it all. */
const plain = new Set(['opening', 'import']);

/**
 * '' where the kind of the posting says it all; the reference where nothing else is known of it.
 * `methodName`: the word for a payment method.
 */
export function subjectText(
  { kind, reference, subject }: DescribedPosting,
  language: Language,
  methodName: (id: string) => string,
): string {
  if (subject === null) return plain.has(kind) ? '' : (reference ?? '');
  const name =
    subject.kind === 'order' && subject.name !== '' ? methodName(subject.name) : subject.name;
  const [named, nameless] = words[subject.kind][language];
  return (name === '' ? nameless : named).replace(/\{(\w+)\}/g, (_, field: string) =>
    field === 'id' ? subject.id : name,
  );
}
