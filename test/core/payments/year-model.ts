/** What random years are made of, and the model of what they do to balances. */
import { fc } from '../../support/property.ts';

const day = 86_400;

/** How the next posting fails: nothing of it is written, or only its reply is lost. */
export type Fault = 'none' | 'before' | 'after';
const fault = fc.constantFrom<Fault>('none', 'none', 'none', 'before', 'after');
const nth = fc.nat(40);
const user = fc.nat(2);
const quota = fc.oneof(fc.nat(3), fc.nat(2_000_000), fc.constant(10 ** 12));
const cents = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 1500 }));
const step = fc.oneof(
  fc.record({ act: fc.constant('order' as const), user, amount: fc.integer({ min: 1, max: 9 }) }),
  fc.record({
    act: fc.constant('pay' as const),
    nth,
    /** The notice. */
    isLost: fc.boolean(),
    isPaidBack: fc.boolean(),
    fault,
  }),
  fc.record({
    act: fc.constant('notice' as const),
    nth,
    times: fc.integer({ min: 1, max: 3 }),
    fault,
  }),
  fc.record({
    act: fc.constant('wrong' as const),
    nth,
    money: fc.constantFrom('0.01', '-7.30', 'NaN', '1e3'),
  }),
  fc.record({ act: fc.constant('complete' as const), nth, fault }),
  fc.record({ act: fc.constant('payBack' as const), nth, cents }),
  fc.record({ act: fc.constant('refund' as const), nth, cents, all: fc.boolean(), fault }),
  fc.record({ act: fc.constant('noted' as const), nth, cents, fault }),
  fc.record({ act: fc.constant('code' as const), quota, days: fc.nat(40) }),
  fc.record({ act: fc.constant('redeem' as const), user, nth, fault }),
  fc.record({ act: fc.constant('recode' as const), nth, quota }),
  fc.record({ act: fc.constant('grant' as const), user, quota }),
  fc.record({
    act: fc.constant('edit' as const),
    user,
    quota,
    stale: fc.integer({ min: -9, max: 9 }),
  }),
  fc.record({ act: fc.constant('invite' as const), user }),
  fc.record({
    act: fc.constant('transfer' as const),
    user,
    quota: fc.constantFrom(499_999, 500_000, 600_001),
    fault,
  }),
  fc.record({ act: fc.constant('charge' as const), user, quota: fc.nat(900_000) }),
);
export const year = fc.array(
  fc.record({
    step,
    /** Whether the jobs run afterwards. */
    isSwept: fc.boolean(),
    /** Seconds until then: minutes, the end of an order's time, or days. */
    after: fc.oneof(
      { weight: 3, arbitrary: fc.nat(99) },
      fc.constantFrom(7199, 7200, 86_399, 86_400),
      { weight: 2, arbitrary: fc.nat(20 * day) },
    ),
  }),
  { minLength: 40, maxLength: 70 },
);
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** 7.30 yuan and 500,000 of quota for each unit. */
export interface Order {
  readonly tradeNo: string;
  readonly user: number;
  readonly quota: number;
  readonly cents: number;
  readonly createdAt: number;
  status: 'pending' | 'failed' | 'refunded' | 'credited';
  byHand: boolean;
  paid: boolean;
  /** At the gateway. */
  paidBack: number;
  /** As the site has counted it. */
  counted: number;
  finishedAt: number;
}
interface Code {
  readonly id: number;
  readonly key: string;
  readonly expires: number;
  quota: number;
  isUsed: boolean;
}

const shareOf = ({ quota: whole, cents: sum }: Order, part: number): number =>
  // Rounded half up in integers.
  Number((2n * BigInt(whole) * BigInt(part) + BigInt(sum)) / (2n * BigInt(sum)));

export class Year {
  readonly balances = [0, 0, 0];
  readonly purses = [0, 0, 0];
  readonly orders: Order[] = [];
  readonly codes: Code[] = [];
  /** What transfers still owe. */
  readonly owed: (readonly [user: number, amount: number])[] = [];
  fault: Fault = 'none';

  /** One posting to a user, as the fault lets it; throws where its caller is told of a failure. */
  post(owner: number, amount: number, effect: () => void): void {
    const { fault: failure } = this;
    this.fault = 'none';
    if (failure === 'before') throw new Error('before');
    this.balances[owner] = (this.balances[owner] ?? 0) + amount;
    effect();
    if (failure === 'after') throw new Error('after');
  }

  credit(order: Order, now: number, byHand = false): void {
    this.post(order.user, order.quota, () => {
      Object.assign(order, { status: 'credited', byHand, finishedAt: now });
    });
  }

  /** The site counts that `part` cents more were paid back. */
  take(order: Order, part: number): void {
    const amount = shareOf(order, order.counted) - shareOf(order, order.counted + part);
    this.post(order.user, amount, () => {
      order.counted += part;
    });
  }

  /** The jobs. */
  sweep(now: number): void {
    for (const [owner, amount] of this.owed.splice(0)) this.post(owner, amount, () => {});
    for (const order of this.orders) {
      const age = now - order.createdAt;
      if (order.status === 'pending' && age > 60 && (age <= 7200 || age >= day)) {
        if (order.paid && order.paidBack > 0) order.status = 'refunded';
        else if (order.paid) this.credit(order, now);
        else if (age >= day) order.status = 'failed';
      }
      const isRecent = order.finishedAt >= now - 30 * day;
      const isSwept = order.status === 'credited' && !order.byHand && isRecent;
      if (isSwept && order.paidBack > order.counted)
        this.take(order, order.paidBack - order.counted);
    }
  }
}
