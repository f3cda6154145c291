/**
 * Looks up what postings are about, for a page of them at once (docs/rules/ledger.md#subjects):
 * from the log rows that were written with them, and from orders, codes and users.
 */
import type { PostingSubject } from '../entities/posting-subject.ts';
import { isObject, parseObject } from '../kernel/json.ts';
import type { Posting, Storage, UsageLog } from '../storage/storage.ts';
import type { LedgerKind } from '../vocabulary/ledger-kinds.ts';

export type SubjectStorage = Pick<Storage, 'logs' | 'topUps' | 'redemptions' | 'users'>;
/** By the id of the posting. */
export type Subjects = ReadonlyMap<number, PostingSubject>;

/** What a page of postings is described from. */
interface Known {
  readonly log: UsageLog | undefined;
  readonly methods: ReadonlyMap<string, string>;
  readonly codes: ReadonlyMap<number, string>;
  readonly inviters: ReadonlyMap<number, Person>;
}
interface Person {
  readonly id: number;
  readonly username: string;
}
type Describe = (posting: Posting, known: Known) => PostingSubject | null;

const subject = (
  kind: PostingSubject['kind'],
  id: string | number = '',
  name = '',
): PostingSubject => ({ kind, id: String(id), name });

/** `task:ID` and `drawing:ID` are rows; people know them by the name in the log row. */
const describeRefund: Describe = ({ reference }, { log }) => {
  const [table = '', id = ''] = (reference ?? '').split(':');
  if (table !== 'task' && table !== 'drawing') return null;
  const name = parseObject(log?.other ?? '')?.['task_id'];
  return subject(table, typeof name === 'string' ? name : `#${id}`, log?.modelName);
};

/** A refund of a payment has the order's number before what tells it from other refunds. */
function orderOf({ kind, reference }: Posting): string {
  const text = reference ?? '';
  return kind === 'payment_refund' ? (text.split(':')[0] ?? '') : text;
}

const describeOrder: Describe = (posting, { methods }) => {
  const order = orderOf(posting);
  return order === '' ? null : subject('order', order, methods.get(order));
};

/** Administrators are named by the log row. Only their grants have no reference. */
const describeAct: Describe = ({ kind, reference }, { log }) => {
  const { admin_info: info } = parseObject(log?.other ?? '') ?? {};
  const { actor_id: id, actor } = isObject(info) ? info : {};
  if (typeof id === 'number' && typeof actor === 'string')
    return subject('administrator', id, actor);
  return kind === 'grant' && reference === null ? subject('administrator') : null;
};

const describers: Readonly<Record<LedgerKind, Describe>> = {
  charge: ({ reference }, { log }) => subject('request', reference ?? '', log?.modelName),
  refund: describeRefund,
  top_up: describeOrder,
  payment_refund: describeOrder,
  redemption: ({ reference }, { codes }) =>
    subject('code', reference ?? '', codes.get(Number(reference))),
  grant: (posting, known) =>
    posting.reference?.startsWith('account:') === true
      ? subject('account', posting.userId)
      : describeAct(posting, known),
  adjustment: describeAct,
  invite: ({ userId }, { inviters }) => {
    const inviter = inviters.get(userId);
    return subject('inviter', inviter?.id, inviter?.username);
  },
  transfer: ({ userId }) => subject('invites', userId),
  opening: () => null,
  import: () => null,
};

/** Who acts for the site is nothing for customers, and neither is the account of their inviter. */
function withoutPeople(found: PostingSubject): PostingSubject {
  return found.kind === 'administrator' || found.kind === 'inviter' ? subject(found.kind) : found;
}

/** `forAdmins`: with the names of people. Postings without a subject are missing. */
export async function subjectsOf(
  { logs, topUps, redemptions, users }: SubjectStorage,
  postings: readonly Posting[],
  forAdmins: boolean,
): Promise<Subjects> {
  const of = (...kinds: readonly LedgerKind[]) =>
    postings.filter(({ kind }) => kinds.includes(kind));
  const orders = of('top_up', 'payment_refund').map(orderOf);
  const codes = of('redemption').map(({ reference }) => Number(reference));
  const [rows, methods, codeNames, inviters] = await Promise.all([
    logs.ofPostings(of('charge', 'refund', 'grant', 'adjustment')),
    topUps.methods(orders),
    redemptions.names(codes),
    invitersOf(users, forAdmins ? of('invite') : []),
  ]);
  const byPosting = new Map(rows.map((row) => [row.ledgerId, row]));
  const subjects = new Map<number, PostingSubject>();
  for (const posting of postings) {
    const log = byPosting.get(posting.id);
    const found = describers[posting.kind](posting, { log, methods, codes: codeNames, inviters });
    if (found !== null) subjects.set(posting.id, forAdmins ? found : withoutPeople(found));
  }
  return subjects;
}

/** Who invited these users, by the user's id. */
async function invitersOf(
  users: Storage['users'],
  invited: readonly Posting[],
): Promise<ReadonlyMap<number, Person>> {
  if (invited.length === 0) return new Map();
  const found = await users.findMany(invited.map(({ userId }) => userId));
  const inviters = await users.findMany(found.map(({ inviterId }) => inviterId));
  const byId = new Map(inviters.map((user) => [user.id, user]));
  const pairs = found.map(({ id, inviterId }) => [id, byId.get(inviterId)] as const);
  return new Map(pairs.flatMap(([id, inviter]) => (inviter === undefined ? [] : [[id, inviter]])));
}
